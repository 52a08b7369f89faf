"""How mail programs write an answer: one line a style, with the reply above (`{new}`) and our mail
below, marked (`{quoted}`) or bare (`{bare}`).

`{addr}` is our address. Every style is written from what the program does, none is copied from a
mail.
"""

from dataclasses import dataclass

ADDRESS = "orders+o12-345-gx22n5y4mbw3kwt5br3gozowdm@realm.example"

OUR_MAIL = """\
ANNA, YOUR ORDERS, PLEASE
by Monday 23 November, 18:00 your time (in 3 days; 17:00 UTC).

WHAT YOU CAN REPLY

    Golden March! 7 from P17 to P18.
    Fortify! P19.

P17: work
- Support! Bartek in P18 from P17

Your own words do as well: "attack P18 with all of P17". You may change your
orders until the deadline; the word "final" settles them.

--\x20
Times are in Europe/Berlin. Code o12-345-gx22n5y4mbw3kwt5br3gozowdm
"""

QUOTED_WORDS = ("P17", "P18", "P19", "Golden March! 7", "YOUR ORDERS", "Europe/Berlin")


def quoted(text: str = OUR_MAIL, mark: str = "> ") -> str:
    return "\n".join((mark + line).rstrip() for line in text.splitlines())


# Attributions over marked lines. The quoted block follows after a blank line.
ATTRIBUTIONS: dict[str, str] = {
    "gmail en": "On Fri, Nov 20, 2026 at 9:12 PM The Realm <{addr}> wrote:",
    "gmail en wrapped": "On Fri, Nov 20, 2026 at 9:12 PM The Realm of Herons and Dragons\n<{addr}> wrote:",
    "gmail en-gb": "On Fri, 20 Nov 2026, 21:12 The Realm, <{addr}> wrote:",
    "gmail en thrice wrapped": "On Fri, Nov 20, 2026 at 9:12 PM\nThe Realm of Herons\n<{addr}> wrote:",
    "gmail de": "Am Fr., 20. Nov. 2026 um 21:12 Uhr schrieb The Realm <{addr}>:",
    "gmail de wrapped": "Am Fr., 20. Nov. 2026 um 21:12 Uhr schrieb The Realm <\n{addr}>:",
    "gmail fr": "Le ven. 20 nov. 2026 à 21:12, The Realm <{addr}> a écrit :",
    "gmail fr wrapped": "Le ven. 20 nov. 2026 à 21:12, The Realm <{addr}> a\nécrit :",
    "gmail es": "El vie, 20 nov 2026 a las 21:12, The Realm (<{addr}>) escribió:",
    "gmail it": "Il giorno ven 20 nov 2026 alle ore 21:12 The Realm <{addr}> ha scritto:",
    "gmail pt": "Em sex., 20 de nov. de 2026 às 21:12, The Realm <{addr}> escreveu:",
    "gmail nl": "Op vr 20 nov 2026 om 21:12 schreef The Realm <{addr}>:",
    "gmail pl": "pt., 20 lis 2026 o 21:12 The Realm <{addr}> napisał(a):",
    "gmail cs": "pá 20. 11. 2026 v 21:12 odesílatel The Realm <{addr}> napsal:",
    "gmail sk": "pi 20. 11. 2026 o 21:12 The Realm <{addr}> napísal(a):",
    "gmail da": "fre. 20. nov. 2026 kl. 21.12 skrev The Realm <{addr}>:",
    "gmail sv": "Den fre 20 nov. 2026 kl 21:12 skrev The Realm <{addr}>:",
    "gmail fi": "pe 20. marrask. 2026 klo 21.12 The Realm ({addr}) kirjoitti:",
    "gmail hu": "The Realm <{addr}> ezt írta (időpont: 2026. nov. 20., P, 21:12):",
    "gmail ro": "În vin., 20 nov. 2026 la 21:12, The Realm <{addr}> a scris:",
    "gmail ru": "пт, 20 нояб. 2026 г. в 21:12, The Realm <{addr}>:",
    "gmail uk": "пт, 20 лист. 2026 р. о 21:12 The Realm <{addr}> пише:",
    "gmail tr": "The Realm <{addr}>, 20 Kas 2026 Cum, 21:12 tarihinde şunu yazdı:",
    "gmail el": "Στις Παρ 20 Νοε 2026 στις 9:12 μ.μ., ο/η The Realm <{addr}> έγραψε:",
    "gmail ja": "2026年11月20日(金) 21:12 The Realm <{addr}>:",
    "gmail zh-cn": "The Realm <{addr}> 于2026年11月20日周五 21:12写道：",
    "gmail zh-tw": "The Realm <{addr}> 於 2026年11月20日 週五 下午9:12寫道：",
    "gmail ko": "2026년 11월 20일 (금) 오후 9:12, The Realm <{addr}>님이 작성:",
    "gmail he": "\u202bבתאריך יום ו׳, 20 בנוב׳ 2026 ב-21:12 מאת \u202aThe Realm\u202c\u200f <\u202a{addr}\u202c\u200f>:\u202c",
    "gmail ar": "في الجمعة، ٢٠ نوفمبر ٢٠٢٦ في ٩:١٢ م تمت كتابة ما يلي بواسطة The Realm <{addr}>:",
    "gmail vi": "Vào Th 6, 20 thg 11, 2026 vào lúc 21:12 The Realm <{addr}> đã viết:",
    "gmail id": "Pada tanggal Jum, 20 Nov 2026 21.12, The Realm <{addr}> menulis:",
    "gmail th": "ในวันที่ ศ. 20 พ.ย. 2026 เวลา 21:12 The Realm <{addr}> เขียนว่า:",
    "gmail bg": "На пт, 20.11.2026 г. в 21:12 ч. The Realm <{addr}> написа:",
    "gmail hr": "pet, 20. stu 2026. u 21:12 The Realm <{addr}> napisao je:",
    "gmail lt": "2026-11-20, pn, 21:12 The Realm <{addr}> rašė:",
    "gmail et": "Kuupäev R, 20. november 2026 kell 21:12 kirjutas The Realm <{addr}>:",
    "apple en": "On 20 Nov 2026, at 21:12, The Realm <{addr}> wrote:",
    "apple de": "Am 20.11.2026 um 21:12 schrieb The Realm <{addr}>:",
    "apple fr": "Le 20 nov. 2026 à 21:12, The Realm <{addr}> a écrit :",
    "apple es": "El 20 nov 2026, a las 21:12, The Realm <{addr}> escribió:",
    "apple it": "Il giorno 20 nov 2026, alle ore 21:12, The Realm <{addr}> ha scritto:",
    "apple nl": "Op 20 nov. 2026, om 21:12 heeft The Realm <{addr}> het volgende geschreven:",
    "apple sv": "20 nov. 2026 kl. 21:12 skrev The Realm <{addr}>:",
    "apple ru": "20 нояб. 2026 г., в 21:12, The Realm <{addr}> написал(а):",
    "apple ja": "2026/11/20 21:12、The Realm <{addr}>のメール:",
    "apple zh": "2026年11月20日 21:12，The Realm <{addr}> 写道：",
    "thunderbird en": "On 20/11/2026 21:12, The Realm wrote:",
    "thunderbird de": "Am 20.11.26 um 21:12 schrieb The Realm:",
    "thunderbird fr": "Le 20/11/2026 à 21:12, The Realm a écrit :",
    "thunderbird es": "El 20/11/26 a las 21:12, The Realm escribió:",
    "thunderbird it": "Il 20/11/2026 21:12, The Realm ha scritto:",
    "thunderbird pl": "W dniu 20.11.2026 o 21:12, The Realm pisze:",
    "thunderbird cs": "Dne 20. 11. 26 v 21:12 The Realm napsal(a):",
    "thunderbird ru": "20.11.2026 21:12, The Realm пишет:",
    "thunderbird ja": "On 2026/11/20 21:12, The Realm wrote:",
    "k-9 en": "On November 20, 2026 9:12:00 PM GMT+01:00, The Realm <{addr}> wrote:",
    "k-9 de": "Am 20. November 2026 21:12:00 MEZ schrieb The Realm <{addr}>:",
    "protonmail": "On Friday, November 20th, 2026 at 9:12 PM, The Realm <{addr}> wrote:",
    "protonmail dashes": "------- Original Message -------\nOn Friday, November 20th, 2026 at 9:12 PM, The Realm <{addr}> wrote:",
    "protonmail de": "The Realm <{addr}> schrieb am Freitag, 20. November 2026 um 21:12:",
    "fastmail": "On Fri, 20 Nov 2026, at 9:12 PM, The Realm wrote:",
    "mutt": "On Fri, Nov 20, 2026 at 09:12:00PM +0100, The Realm wrote:",
    "mutt bare": "The Realm <{addr}> wrote:",
    "kmail": "Am Freitag, 20. November 2026, 21:12:00 CET schrieb The Realm:",
    "claws": "On Fri, 20 Nov 2026 21:12:00 +0100\nThe Realm <{addr}> wrote:",
    "evolution": "On Fri, 2026-11-20 at 21:12 +0100, The Realm wrote:",
    "gnus": "The Realm <{addr}> writes:",
    "pine": "On Fri, 20 Nov 2026, The Realm wrote:",
    "roundcube": "On 2026-11-20 21:12, The Realm wrote:",
    "roundcube de": "Am 2026-11-20 21:12, schrieb The Realm:",
    "zimbra": 'From: "The Realm" <{addr}>\nTo: "Anna" <anna@example.org>\nSent: Friday, November 20, 2026 9:12:00 PM\nSubject: [Heron] Turn 6',
    "t-online": 'Am 20.11.2026 um 21:12 schrieb "The Realm" <{addr}>:',
    "web.de": 'Gesendet: Freitag, 20. November 2026 um 21:12 Uhr\nVon: "The Realm" <{addr}>\nAn: anna@example.org\nBetreff: [Heron] Turn 6',
    "yahoo": "On Friday, November 20, 2026 at 09:12:00 PM GMT+1, The Realm <{addr}> wrote:",
    "yandex": '20.11.2026, 21:12, "The Realm" <{addr}>:',
    "mail.ru": "Пятница, 20 ноября 2026, 21:12 +03:00 от The Realm <{addr}>:",
    "name and verb": "The Realm schrieb:",
    "orange": '> Message du 20/11/26 21:12\n> De : "The Realm" <{addr}>\n> A : anna@example.org\n> Objet : Turn 6',
    "forwarded head": "-------- Weitergeleitete Nachricht --------\nBetreff: Turn 6\nDatum: Fri, 20 Nov 2026 21:12:00 +0100\nVon: The Realm <{addr}>\nAn: anna@example.org",
    "unknown language": "Zzz 20 qqq 2026 xx 21:12, The Realm <{addr}> blarg:",
}

# What stands above a mail that is quoted without marks; everything below belongs to it.
HEADS: dict[str, str] = {
    "outlook en": "________________________________\nFrom: The Realm <{addr}>\nSent: Friday, November 20, 2026 9:12 PM\nTo: Anna <anna@example.org>\nSubject: [Heron] Turn 6",
    "outlook en no line": "From: The Realm <{addr}>\nSent: Friday, November 20, 2026 9:12 PM\nTo: Anna\nCc: Ben\nSubject: [Heron] Turn 6",
    "outlook en name only": "From: The Realm\nSent: Friday, November 20, 2026 9:12 PM\nTo: Anna\nSubject: [Heron] Turn 6: orders due",
    "outlook starred": "*From:* The Realm <{addr}>\n*Sent:* Friday, November 20, 2026 9:12 PM\n*To:* Anna\n*Subject:* [Heron] Turn 6",
    "outlook blank lines": "From: The Realm <{addr}>\n\nSent: Friday, November 20, 2026 9:12 PM\n\nTo: Anna\n\nSubject: [Heron] Turn 6",
    "outlook de": "Von: The Realm <{addr}>\nGesendet: Freitag, 20. November 2026 21:12\nAn: Anna\nBetreff: [Heron] Turn 6",
    "outlook fr": "De : The Realm <{addr}>\nEnvoyé : vendredi 20 novembre 2026 21:12\nÀ : Anna\nObjet : [Heron] Turn 6",
    "outlook es": "De: The Realm <{addr}>\nEnviado: viernes, 20 de noviembre de 2026 21:12\nPara: Anna\nAsunto: [Heron] Turn 6",
    "outlook it": "Da: The Realm <{addr}>\nInviato: venerdì 20 novembre 2026 21:12\nA: Anna\nOggetto: [Heron] Turn 6",
    "outlook pt": "De: The Realm <{addr}>\nEnviada em: sexta-feira, 20 de novembro de 2026 21:12\nPara: Anna\nAssunto: [Heron] Turn 6",
    "outlook nl": "Van: The Realm <{addr}>\nVerzonden: vrijdag 20 november 2026 21:12\nAan: Anna\nOnderwerp: [Heron] Turn 6",
    "outlook pl": "Od: The Realm <{addr}>\nWysłane: piątek, 20 listopada 2026 21:12\nDo: Anna\nTemat: [Heron] Turn 6",
    "outlook cs": "Od: The Realm <{addr}>\nOdesláno: pátek 20. listopadu 2026 21:12\nKomu: Anna\nPředmět: [Heron] Turn 6",
    "outlook da": "Fra: The Realm <{addr}>\nSendt: 20. november 2026 21:12\nTil: Anna\nEmne: [Heron] Turn 6",
    "outlook sv": "Från: The Realm <{addr}>\nSkickat: den 20 november 2026 21:12\nTill: Anna\nÄmne: [Heron] Turn 6",
    "outlook fi": "Lähettäjä: The Realm <{addr}>\nLähetetty: perjantai 20. marraskuuta 2026 21.12\nVastaanottaja: Anna\nAihe: [Heron] Turn 6",
    "outlook hu": "Feladó: The Realm <{addr}>\nElküldve: 2026. november 20., péntek 21:12\nCímzett: Anna\nTárgy: [Heron] Turn 6",
    "outlook ru": "От: The Realm <{addr}>\nОтправлено: 20 ноября 2026 г. 21:12\nКому: Anna\nТема: [Heron] Turn 6",
    "outlook uk": "Від: The Realm <{addr}>\nНадіслано: 20 листопада 2026 р. 21:12\nКому: Anna\nТема: [Heron] Turn 6",
    "outlook tr": "Kimden: The Realm <{addr}>\nGönderildi: 20 Kasım 2026 Cuma 21:12\nKime: Anna\nKonu: [Heron] Turn 6",
    "outlook el": "Από: The Realm <{addr}>\nΣτάλθηκε: Παρασκευή, 20 Νοεμβρίου 2026 9:12 μμ\nΠρος: Anna\nΘέμα: [Heron] Turn 6",
    "outlook ja": "差出人: The Realm <{addr}>\n送信日時: 2026年11月20日 21:12\n宛先: Anna\n件名: [Heron] Turn 6",
    "outlook zh": "发件人: The Realm <{addr}>\n发送时间: 2026年11月20日 21:12\n收件人: Anna\n主题: [Heron] Turn 6",
    "outlook ko": "보낸 사람: The Realm <{addr}>\n보낸 날짜: 2026년 11월 20일 금요일 오후 9:12\n받는 사람: Anna\n제목: [Heron] Turn 6",
    "outlook unknown language": "Xyz: The Realm <{addr}>\nBlarg: Qwer 20 Zzz 2026 21:12\nUvw: Anna\nTopik: [Heron] Turn 6",
    "qq mail": '------------------ 原始邮件 ------------------\n发件人: "The Realm" <{addr}>;\n发送时间: 2026年11月20日(星期五) 晚上9:12\n收件人: "Anna" <anna@example.org>;\n主题: [Heron] Turn 6',
    "old outlook": "-----Original Message-----\nFrom: The Realm [mailto:{addr}]\nSent: Friday, November 20, 2026 9:12 PM\nTo: Anna\nSubject: [Heron] Turn 6",
    "old outlook de": "-----Ursprüngliche Nachricht-----\nVon: The Realm [mailto:{addr}]\nGesendet: Freitag, 20. November 2026 21:12\nAn: Anna\nBetreff: [Heron] Turn 6",
    "original alone": "----- Original Message -----",
    "samsung en": "-------- Original message --------\nFrom: The Realm <{addr}>\nDate: 20/11/2026 21:12 (GMT+01:00)\nTo: Anna <anna@example.org>\nSubject: [Heron] Turn 6",
    "samsung de": "-------- Ursprüngliche Nachricht --------\nVon: The Realm <{addr}>\nDatum: 20.11.26 21:12 (GMT+01:00)\nAn: Anna <anna@example.org>\nBetreff: [Heron] Turn 6",
    "samsung fr": "-------- Message d'origine --------\nDe : The Realm <{addr}>\nDate : 20/11/2026 21:12 (GMT+01:00)\nÀ : Anna\nObjet : [Heron] Turn 6",
    "gmx": 'Gesendet: Freitag, 20. November 2026 um 21:12 Uhr\nVon: "The Realm" <{addr}>\nAn: anna@example.org\nBetreff: [Heron] Turn 6',
    "yahoo plain": "________________________________\n From: The Realm <{addr}>\nTo: Anna <anna@example.org> \nSent: Friday, November 20, 2026 9:12 PM\nSubject: [Heron] Turn 6",
    "yahoo unmarked": "On Friday, November 20, 2026 at 09:12:00 PM GMT+1, The Realm <{addr}> wrote:",
    "proton unmarked": "Sent with Proton Mail secure email.\n\nOn Friday, November 20th, 2026 at 9:12 PM, The Realm <{addr}> wrote:",
    "lotus": "The Realm <{addr}> wrote on 20/11/2026 21:12:00:",
    "iphone de unmarked": "Von meinem iPhone gesendet\n\nAm 20.11.2026 um 21:12 schrieb The Realm <{addr}>:",
    "forward gmail": "---------- Forwarded message ---------\nFrom: The Realm <{addr}>\nDate: Fri, Nov 20, 2026 at 9:12 PM\nSubject: [Heron] Turn 6\nTo: <anna@example.org>",
    "forward apple": "Begin forwarded message:\n\nFrom: The Realm <{addr}>\nSubject: [Heron] Turn 6\nDate: 20 November 2026 at 21:12:00 CET\nTo: Anna",
    "attribution in one line with the text": "On Fri, 20 Nov 2026 at 21:12, The Realm <{addr}> wrote: ANNA, YOUR ORDERS, PLEASE",
    "quoting": "Quoting The Realm <{addr}>:",
    "player wrote": "Ben wrote:",
    "lotus labels": "From:   The Realm <{addr}>\nTo:     anna@example.org\nDate:   20.11.2026 21:12\nSubject:        Turn 6",
    "hotmail": "To: anna@example.org\nSubject: Turn 6\nDate: Fri, 20 Nov 2026 21:12:00 +0100\nFrom: {addr}",
    "zoho": "---- On Fri, 20 Nov 2026 21:12:00 +0100 The Realm <{addr}> wrote ----",
    "163": 'At 2026-11-20 21:12:00, "The Realm" <{addr}> wrote:',
    "onet": "W dniu 2026-11-20 21:12:00 użytkownik The Realm <{addr}> napisał:",
    "marker": "~~~~ Write your answer above this line ~~~~",
    "other marker": "##- Please type your reply above this line -##",
}

# What programs, organisations and lists add around the words; `{new}` is all that should be left.
TRIMMINGS: dict[str, str] = {
    "signature": "{new}\n\n-- \nAnna Example\nKeeper of P18",
    "signature without its blank": "{new}\n\n--\nAnna Example\nP17: work",
    "iphone en": "{new}\n\nSent from my iPhone",
    "iphone de": "{new}\n\nVon meinem iPhone gesendet",
    "iphone fr": "{new}\n\nEnvoyé de mon iPhone",
    "iphone es": "{new}\n\nEnviado desde mi iPhone",
    "iphone it": "{new}\n\nInviato da iPhone",
    "iphone pt": "{new}\n\nEnviado do meu iPhone",
    "iphone nl": "{new}\n\nVerstuurd vanaf mijn iPhone",
    "iphone pl": "{new}\n\nWysłane z iPhone'a",
    "iphone cs": "{new}\n\nOdesláno z iPhonu",
    "iphone da": "{new}\n\nSendt fra min iPhone",
    "iphone sv": "{new}\n\nSkickat från min iPhone",
    "iphone fi": "{new}\n\nLähetetty iPhonesta",
    "iphone ru": "{new}\n\nОтправлено с iPhone",
    "iphone uk": "{new}\n\nНадіслано з iPhone",
    "iphone tr": "{new}\n\niPhone'umdan gönderildi",
    "iphone el": "{new}\n\nΣτάλθηκε από το iPhone μου",
    "iphone ja": "{new}\n\niPhoneから送信",
    "iphone zh": "{new}\n\n发自我的iPhone",
    "iphone ko": "{new}\n\n나의 iPhone에서 보냄",
    "outlook ios": "{new}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>",
    "outlook android de": "{new}\n\nOutlook für Android herunterladen",
    "samsung": "{new}\n\nSent from my Galaxy",
    "samsung de": "{new}\n\nVon meinem Samsung Galaxy Smartphone gesendet.",
    "k-9": "{new}\n-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.",
    "k-9 de": "{new}\n-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "yahoo mobile": "{new}\n\nSent from Yahoo Mail on Android",
    "gmx app": "{new}\n\nGesendet mit der GMX Mail App",
    "proton": "{new}\n\nSent with Proton Mail secure email.",
    "mail for windows": "{new}\n\nSent from Mail for Windows",
    "disclaimer en": "{new}\n\nThis e-mail and any attachments are confidential and intended solely for the addressee.\nIf you have received this e-mail in error, please notify the sender and delete this message.",
    "disclaimer de": "{new}\n\nDiese E-Mail enthält vertrauliche und/oder rechtlich geschützte Informationen. Wenn Sie nicht\nder richtige Adressat sind oder diese E-Mail irrtümlich erhalten haben, informieren Sie bitte den Absender.",
    "disclaimer fr": "{new}\n\nCe message et toutes les pièces jointes sont confidentiels et établis à l'intention exclusive de ses destinataires.\nSi vous avez reçu ce message par erreur, merci de le détruire.",
    "disclaimer es": "{new}\n\nEste mensaje es confidencial y va dirigido exclusivamente a su destinatario.\nSi lo ha recibido por error, por favor bórrelo.",
    "disclaimer ru": "{new}\n\nДанное сообщение содержит конфиденциальную информацию и предназначено только адресату.\nЕсли вы не являетесь получателем, уведомите отправителя и удалите сообщение.",
    "avast": "{new}\n\nVirus-free.www.avast.com",
    "environment": "{new}\n\nPlease consider the environment before printing this e-mail.",
    "banner en": "CAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you recognize the sender and know the content is safe.\n\n{new}",
    "banner en wrapped": "CAUTION: This email originated from outside of the organization.\nDo not click links or open attachments unless you recognize the sender\nand know the content is safe.\n\n{new}",
    "banner de": "ACHTUNG: Diese E-Mail stammt von einem externen Absender. Bitte öffnen Sie keine Anhänge und klicken Sie nicht auf Links.\n\n{new}",
    "banner fr": "ATTENTION : ce courriel provient d'un expéditeur externe. Ne cliquez pas sur les liens et n'ouvrez pas les pièces jointes.\n\n{new}",
    "banner tag": "[EXTERNAL]\n\n{new}",
    "banner tag before the words": "[EXTERNAL EMAIL] {new}",
    "banner often": "You don't often get email from anna@example.org. Learn why this is important<https://aka.ms/LearnAboutSenderIdentification>\n\n{new}",
    "signature under a long dash": "{new}\n\n—\nAnna Example",
    "groups.io": "{new}\n\n-=-=-=-=-=-=-=-=-=-=-=-\nGroups.io Links: You receive all messages sent to this group.\nUnsubscribe: https://groups.io/g/x/unsub\n-=-=-=-=-=-=-=-=-=-=-=-",
    "avast de": "{new}\n\n---\nDiese E-Mail wurde von Avast Antivirus auf Viren geprüft.",
    "banner in stars": "*** EXTERNAL EMAIL *** Do not click links or open attachments unless you recognize the sender.\n\n{new}",
    "iphone hu": "{new}\n\nAz iPhone-omról küldve",
    "iphone he": "{new}\n\nנשלח מה-iPhone שלי",
    "iphone ar": "{new}\n\nأرسلت من الـ iPhone",
    "iphone vi": "{new}\n\nĐã gửi từ iPhone của tôi",
    "bluemail": "{new}\n\nBlueMail for Android herunterladen",
    "list footer": "{new}\n_______________________________________________\nGamers mailing list\ngamers@lists.example\nhttps://lists.example/listinfo/gamers",
    "google groups": '{new}\n\n-- \nYou received this message because you are subscribed to the Google Groups "gamers" group.',
    "address block": "{new}\n\nKind regards,\nAnna Example\nSenior Keeper\nACME Ltd.\nTel: +49 30 1234567\nwww.example.org",
    "address block de": "{new}\n\nMit freundlichen Grüßen\n\nAnna Muster\nMusterweg 5, 10115 Berlin\nTel.: 030 / 123456\nanna@example.org",
    "sign-off": "{new}\n\nBest regards,\nAnna\nCEO, Work Inc.",
    "sign-off with the firm beside the name": "{new}\n\nKind regards,\nAnna | P2 Consulting",
    "sign-off with the post beside the name": "{new}\n\nCheers,\nAnna Example, Support Manager",
    "sign-off in bold": "{new}\n\nBest regards\n\n*Anna Example*\n_Head of Support_\n*March Studios*",
    "sign-off in one line": "{new}\n\nBest regards, Anna Example\nHead of Support · Fortify Ltd.",
    "sign-off de": "{new}\n\nMit freundlichen Grüßen\nAnna Muster\nGeschäftsführerin\nP2 Beratung GmbH",
    "sign-off fr": "{new}\n\nBien cordialement,\n\nAnne Exemple\nDirectrice générale\nGolden Conseil SARL",
    "sign-off es": "{new}\n\nUn saludo,\nAna Ejemplo\nDirectora de marketing",
    "sign-off it": "{new}\n\nCordiali saluti\nAnna Esempio\nResponsabile vendite | Work S.r.l.",
    "sign-off pt": "{new}\n\nAtenciosamente,\nAna Exemplo\nGerente de projetos",
    "sign-off nl": "{new}\n\nMet vriendelijke groet,\nAnna Voorbeeld\nDirecteur, Work B.V.",
    "sign-off sv": "{new}\n\nMed vänliga hälsningar\nAnna Exempel\nVerkställande direktör\nWork AB",
    "sign-off da": "{new}\n\nVenlig hilsen\nAnna Eksempel\nDirektør, Work ApS",
    "sign-off fi": "{new}\n\nYstävällisin terveisin\nAnna Esimerkki\nToimitusjohtaja\nWork Oy",
    "sign-off pl": "{new}\n\nZ poważaniem\nAnna Przykład\nKierownik projektu\nWork Sp. z o.o.",
    "sign-off cs": "{new}\n\nS pozdravem\nAnna Příkladová\nJednatelka, Work s.r.o.",
    "sign-off hu": "{new}\n\nÜdvözlettel,\nPélda Anna\nÜgyvezető, Work Kft.",
    "sign-off ru": "{new}\n\nС уважением,\nАнна Примерова\nГенеральный директор\nООО Work",
    "sign-off tr": "{new}\n\nSaygılarımla,\nAnna Örnek\nGenel Müdür, Work A.Ş.",
    "sign-off el": "{new}\n\nΜε εκτίμηση,\nΆννα Παράδειγμα\nΔιευθύντρια",
    "sign-off ja": "{new}\n\nよろしくお願いいたします。\n山田花子\n営業部長\nワーク株式会社",
    "sign-off zh": "{new}\n\n此致\n敬礼\n王小明\n销售经理\n工作有限公司",
    "sign-off ko": "{new}\n\n감사합니다.\n김안나\n영업 부장",
    "sign-off under a list footer": "{new}\n\nThanks,\nAnna\nSoftware Engineer\n_______________________________________________\nGamers mailing list\ngamers@lists.example",
}


@dataclass(frozen=True, slots=True)
class HtmlStyle:
    """An answer in HTML alone; `{new}` is the reply in HTML, `{ours}` our mail in HTML."""

    name: str
    html: str


OUR_HTML = "<h1>Anna, your orders, please</h1><p>YOUR ORDERS</p><p>Golden March! 7 from P17 to P18.<br>Fortify! P19.</p><p>P17: work</p>"

HTML_STYLES: dict[str, str] = {
    "gmail": '<div dir="ltr">{new}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Fri, Nov 20, 2026 at 9:12 PM The Realm &lt;<a href="mailto:{addr}">{addr}</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">{ours}</blockquote></div>',
    "gmail forward": '<div dir="ltr">{new}<br><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: The Realm</div>{ours}</div></div>',
    "apple": '<html><body>{new}<br><div><br><blockquote type="cite"><div>Am 20.11.2026 um 21:12 schrieb The Realm &lt;{addr}&gt;:</div><br><div>{ours}</div></blockquote></div></body></html>',
    "iphone": '<html><body><div dir="ltr">{new}</div><div dir="ltr"><br><blockquote type="cite">Le 20 nov. 2026 à 21:12, The Realm &lt;{addr}&gt; a écrit :<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">{ours}</div></blockquote></body></html>',
    "thunderbird": '<html><body><p>{new}</p><div class="moz-cite-prefix">Am 20.11.26 um 21:12 schrieb The Realm:<br></div><blockquote type="cite" cite="mid:1@realm.example">{ours}</blockquote><div class="moz-signature">-- <br>P17: work</div></body></html>',
    "outlook.com": '<html><body><div class="elementToProof">{new}</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font><b>From:</b> The Realm &lt;{addr}&gt;<br><b>Sent:</b> Friday, November 20, 2026 9:12 PM<br><b>To:</b> Anna<br><b>Subject:</b> [Heron] Turn 6</font></div><div>{ours}</div></body></html>',
    "outlook desktop": '<html><body><div class="WordSection1"><p class="MsoNormal">{new}</p><p class="MsoNormal">&nbsp;</p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>Von:</b> The Realm &lt;{addr}&gt; <br><b>Gesendet:</b> Freitag, 20. November 2026 21:12<br><b>An:</b> Anna<br><b>Betreff:</b> [Heron] Turn 6</p></div></div><p class="MsoNormal">&nbsp;</p>{ours}</div></body></html>',
    "outlook mobile": '<html><body><div>{new}</div><div id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div><div id="mail-editor-reference-message-container"><div class="ms-outlook-mobile-reference-message"><b>From:</b> The Realm<br>{ours}</div></div></body></html>',
    "yahoo": '<html><body><div>{new}</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div><div>On Friday, November 20, 2026 at 09:12:00 PM GMT+1, The Realm &lt;{addr}&gt; wrote:</div><div>{ours}</div></div></div></body></html>',
    "protonmail": '<div>{new}</div><div class="protonmail_signature_block">P17: work</div><div class="protonmail_quote">On Friday, November 20th, 2026 at 9:12 PM, The Realm &lt;{addr}&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">{ours}</blockquote><br></div>',
    "gmx": '<html><body><div>{new}<div>&nbsp;</div><div name="quote" style="margin:10px 5px 5px 10px; border-left:2px solid #C3D9E5;"><div><b>Gesendet:</b>&nbsp;Freitag, 20. November 2026 um 21:12 Uhr<br><b>Von:</b>&nbsp;"The Realm" &lt;{addr}&gt;<br><b>An:</b>&nbsp;anna@example.org<br><b>Betreff:</b>&nbsp;Turn 6</div><div name="quoted-content">{ours}</div></div></div></body></html>',
    "tutanota": '<div>{new}<br><br>20. Nov. 2026, 21:12 von {addr}:<br><blockquote class="tutanota_quote">{ours}</blockquote></div>',
    "k-9": '<!DOCTYPE html><html><body>{new}<br><br><div class="gmail_quote">Am 20. November 2026 21:12:00 MEZ schrieb The Realm &lt;{addr}&gt;:<blockquote class="gmail_quote">{ours}</blockquote></div></body></html>',
    "old gmail": '<div>{new}</div><div class="gmail_extra"><br><div class="gmail_quote">2026-11-20 21:12 GMT+01:00 The Realm <span>&lt;{addr}&gt;</span>:<br><blockquote class="gmail_quote">{ours}</blockquote></div></div>',
    "zoho": '<div>{new}</div><div class="zmail_extra"><div id="Zm-_Id_-Sgn1">---- On Fri, 20 Nov 2026 21:12:00 +0100 <b>{addr}</b> wrote ----<br></div><blockquote>{ours}</blockquote></div>',
    "outlook mac": '<html><body><div>{new}</div><span id="OLK_SRC_BODY_SECTION"><div><b>From: </b> The Realm<br></div>{ours}</span></body></html>',
    "unmarked attribution": "<p>{new}</p><p>On 20 Nov 2026, at 21:12, The Realm &lt;{addr}&gt; wrote:</p>{ours}",
    "unknown program": '<p>{new}</p><div class="acme-mail-quote"><p>The Realm:</p>{ours}</div>',
    "escaped marks": "<p>{new}</p><p>The Realm schrieb:</p><p>&gt; P17: work<br>&gt; P18: work</p>",
    "indented by the writer": '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">{new}</blockquote><div class="gmail_quote"><blockquote class="gmail_quote">{ours}</blockquote></div>',
}

# Lines that look like what programs write and are orders. None may ever be cut.
TRAPS: tuple[str, ...] = (
    *("P1: fortify", "1. P1 fortify\n2. P2 march 2 to P3", "From P3 march all to P4"),
    *("from P1: march 2 to P2", "Support! Ben in P2 from P1", "On P4 golden fortify"),
    *("On P4: golden fortify", "Am liebsten P4 fortify!", "P1:\nfortify\nP2:\nmarch 2 to P3"),
    *("Orders for turn 6:\nP1 fortify", "My orders for 2026-11-20:\nP1 fortify"),
    *("Orders (sent 21:12):\nP1 fortify", "--- orders ---\nP1 fortify\n--- end ---"),
    *("----- Turn 6 -----\nP1: fortify", "______________\nP1 fortify", "March 2 from P1 to P2"),
    *("March! 20 from P1 to P26", "Send 30 to Ben", "Send 30 to ben"),
    *("To Ben: shall we share P4?\nP1: fortify", "To: Ben\nFrom: P3\nP1: fortify"),
    *("From: P1\nTo: P2\nUnits: 2", "From: P1\nTo: P2\nSubject: march", "P1 -> P2 x2", "P1 > P2"),
    *("- P9: work\n- P10: hold", "* P9: work\n* P10: hold", "-P9 work\n-P10 hold"),
    *("Fight fire with fire: 5", "Buy 2, Bid: 25 (110 from Player#2)", "Bid: 17", "Bid 2026"),
    *("GM: please look at P3, confidential. P1 fortify", "Attention Ben: I march 2 from P1 to P2!"),
    *("Important: P1 fortify", "Warning: external links cut. Golden Fortify! P1"),
    *("Thanks!\nP2: fortify\nP3: work", "Best regards to all\nP1 fortify"),
    *("Cheers,\nP1: fortify\nP2: work", "Regards,\nAnna\nP1 fortify\nmore at https://example.org"),
    *("As I wrote:\nP1 fortify", "Wie ich schrieb:\nP1 fortify", "Sent by mail: P1 fortify"),
    *("Support from my phone! P1 fortify", "Work, work! P5", "Snitch on the blue player"),
    *("Commit 2 from P6 (sac 2)", "Date: now\nP1: fortify", "Subject: my orders\nP1: fortify"),
    *("yes 2", "*P1*: fortify", "P1 fortify @ 12:30", "Anna (anna@example.org)\nP1 fortify"),
    *("Tell ben@example.org:\nP1 fortify", "18:00 P1 fortify:\nP2 work", "Cancel all", "final"),
    *("Palantír: The End", "On 20 Nov 2026 at 21:12 I wrote:\nP1 fortify"),
    "Wie ich am 20.11.2026 um 21:12 schrieb:\nP1 fortify",
    *("Ben wrote to me at 21:12\nP1 fortify", "Anna <anna@example.org>, 20 Nov 2026\nP1 fortify"),
    *("Sent from my iPhone P1 fortify", "P1 fortify, sent from my iPhone"),
    "This message is confidential, Ben: I march from P3, delete this",
    "Thanks,\nFortify all\nanna@example.org",
    *("Thanks,\nAnna Example\n\nFinal\n\nanna@example.org", "P1 fortify\n—\nP2 work"),
    *("P1 fortify\n***\nP2 work", "P1 fortify\n---\nP2 work", "~~~ Orders ~~~\nP1 fortify"),
    *("~~~~ Turn 6 ~~~~\nP1 fortify", "=== P1 ===\nfortify", "| P1 | fortify |"),
    "In P3 and P4, as of 20 Nov 2026 21:12:\nfortify",
    *("Anna here, anna@example.org, on 20 Nov 2026:\nP1 fortify", "Thanks,\nP1 fortify"),
    *("Thanks,\nP1 Fortify\nP2 Work", "Thanks,\nFinal\nCEO, Work Inc."),
    *("Thanks,\nFortify All\nCEO, Work Inc.", "Best,\nAnna\nFortify all"),
    *("Best,\nAnna Example\nSit Tight\nanna@example.org", "Cheers,\nAnna Example\nHolding"),
    "Best regards,\nAnna\nHold\nanna@example.org",
    "Best regards,\nAnna Example\nWork everywhere\nanna@example.org",
    "Best regards,\nAnna Example\nIron Light\nanna@example.org",
    "Best regards,\nAnna Example\nP1 fortify anna@example.org",
    "Best regards,\nAnna Example\nSupport the director in P2\nP2 Fortify Group",
    *("Best regards,\nAnna\nFortify P2 Consulting", "Best regards,\nAnna\nbid 25"),
    *("Regards,\nAnna | P2 fortify", "Cheers,\nAnna\nCEO: fortify P2"),
    *("THANKS,\nBEN\nTEAM UP WITH ANNA IN P2", "Cheers, P2 fortify\nP3 work"),
    *("________\nFrom P3 march all to P4", "________________\nFrom: P3 march all to P4"),
    *("________________\nFrom: all provinces\nmarch to P4", "________________\nFrom: P1\nTo: P2"),
    *("-> P2 x2", "1. P1 > P2", "1) -> P2", "* | P1 | fortify |"),
)

OUR_HTML_LETTER = (
    '<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">Golden March! 7'
    ' is what we propose.&#8199;&#65279;&#847;</div><table role="presentation" width="100%"'
    ' class="page"><tr><td align="center">{above}<p class="soft">'
    "~~~~ Write your answer above this line ~~~~</p>"
    '<table role="presentation" class="wide card"><tr><td class="pad">Heron</td><td>Turn 6</td></tr>'
    f"<tr><td>{OUR_HTML}</td></tr>"
    "<tr><td>Times are in Europe/Berlin. Code o12-345-gx22n5y4mbw3kwt5br3gozowdm</td></tr></table>"
    "</td></tr></table>"
)
"""Our letter as it comes; `{above}` is where somebody may write."""
