"""Answers to a message, from where they are said to the letters that go out."""

from pbem.desk.chat.over import point_below
from pbem.desk.envelope.answers import Answer, Answers, Question, join_answers
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.ports import Context, Services, Transaction


async def say(tx: Transaction[Services], answer: Answer) -> None:
    """Say it to whoever wrote the message in hand, at the end of its handling; where none is, at
    once.
    """
    answers = tx.services.dispatch.answers
    if answers is None:
        await send_answers(tx, Answers([answer]))
    else:
        answers.add(answer)


async def ask(services: Services, question: Question) -> None:
    """Ask it, unless more is said to whoever wrote the message in hand."""
    answers = services.dispatch.answers
    if answers is None:
        await question.ask()
    else:
        answers.ask(question)


async def send_answers(tx: Transaction[Context], answers: Answers) -> None:
    """Queue what was said, in as few letters as can be."""
    if answers.questions and not answers.said and len(answers.questions) == 1:
        await answers.questions[0].ask()
    else:
        for question in answers.questions:
            answers.add(question.beside)
    for answer in () if answers.are_known else join_answers(answers.said):
        queued = await queue_letter(tx, answer.letter)
        if queued is not None and answer.before is not None:
            await point_below(tx, answer.before, answer.letter.dedupe_key)
