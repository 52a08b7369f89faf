"""`pbem oauth`: log in once where a provider lets programs in only by OAuth; the service renews its
access by itself from then on.
"""

import asyncio
import os
from typing import Annotated

import typer

from pbem.cli.common import read_config
from pbem.cli.exits import EXIT_FAILED, EXIT_REFUSED, report_failure
from pbem.cli.failing import told
from pbem.cli.options import ConfigOption
from pbem.config import Config
from pbem.mail.oauth import (
    OAuthError,
    OAuthSettings,
    await_device,
    begin_browser_flow,
    begin_device_flow,
    end_browser_flow,
    write_refresh_token,
)
from pbem.servers import oauth_settings


def oauth(
    provider: Annotated[
        str, typer.Argument(help="google or microsoft, as in [oauth] of the configuration.")
    ],
    config: ConfigOption = None,
) -> None:
    """Log in to the mailbox's provider, and store the token for the service."""
    with told():
        settings = read_config(config)
        if provider != settings.oauth.provider:
            report_failure(
                f"the configuration does not name {provider}: set oauth.provider and"
                " oauth.client_id first"
            )
            raise typer.Exit(EXIT_REFUSED)
        account = oauth_settings(settings)
    try:
        token = asyncio.run(_log_in(settings, account))
    except OAuthError as error:
        report_failure(f"{WORDS.get(error.code, 'that did not work')}: {error}")
        raise typer.Exit(EXIT_FAILED) from error
    account.token_file.parent.mkdir(parents=True, exist_ok=True)
    write_refresh_token(account.token_file, token)
    typer.echo(
        f"Logged in. The token is in {account.token_file}, which only its owner can read. Next:"
        " pbem doctor"
    )


WORDS = {
    "access_denied": "the login was refused in the browser",
    "expired_token": "that took too long; begin again",
    "invalid_client": (
        "the provider does not know this program; check oauth.client_id and its secret"
    ),
    "invalid_scope": (
        "the provider does not let this kind of program read mail; check the kind of client of"
        " oauth.client_id"
    ),
}


async def _log_in(config: Config, account: OAuthSettings) -> str:
    if account.provider.flow == "browser":
        login = begin_browser_flow(account, config.imap.user or config.service.address, os.urandom)
        typer.echo(
            "Open this page in any browser, and log in as"
            f" {config.imap.user or config.service.address}:\n\n{login.url}\n"
        )
        typer.echo(
            "In the end the browser shows a page that it cannot load. Copy its address and paste it"
            " here."
        )
        return await end_browser_flow(
            account, login, await asyncio.to_thread(typer.prompt, "Address")
        )
    code = await begin_device_flow(account)
    typer.echo(
        f"Open {code.url} in any browser, log in as {config.imap.user or config.service.address},"
        f" and type the code {code.user_code}"
    )
    typer.echo(f"Waiting for at most {code.seconds / 60:.0f} minutes ...")
    return await await_device(account, code, asyncio.sleep)
