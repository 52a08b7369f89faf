"""The fake of `SmtpOutbound`: keeps the mails in memory and answers as it is told."""

from collections.abc import Mapping

from pbem.mail.ports import Delivery, OutboundMail, Sent


class Postbox:
    """Takes every mail, unless `answers` says otherwise for its recipient."""

    def __init__(self, answers: Mapping[str, Delivery] | None = None) -> None:
        self.answers = dict(answers or {})
        self.mails: list[OutboundMail] = []

    async def send(self, mail: OutboundMail) -> Delivery:
        answer = self.answers.get(mail.recipient, Sent("250 kept"))
        if isinstance(answer, Sent):
            self.mails.append(mail)
        return answer

    def to(self, recipient: str) -> list[bytes]:
        """What one recipient got, the oldest first."""
        return [mail.raw for mail in self.mails if mail.recipient == recipient]
