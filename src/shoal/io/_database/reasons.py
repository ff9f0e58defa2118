"""Why a database could not be used, in words of ours."""

from __future__ import annotations

import re

# What the words of a database mean; its own sentence may hold a user, a password or a value of the table.
REASONS = (
    (
        r"password authentication failed|no password supplied|fe_sendauth|28P01|28000",
        "it refused the user or the password; set PGUSER and PGPASSWORD, or use a pass file or ?service=NAME",
    ),
    (r"database \".*\" does not exist|3D000", "there is no database of that name"),
    (r"role \".*\" does not exist", "it does not know the user; set PGUSER"),
    (r"definition of service|service file", "the service file does not have that service"),
    (
        r"could not translate host|Connection refused|No such file or dir|could not connect|timeout expired",
        "it cannot be reached; is it running, and are host and port right",
    ),
    (
        r"terminating connection|server closed|connection.*(lost|not open)|no connection to the server"
        r"|57P01|08006|08003|SSL SYSCALL|could not receive data",
        "the connection was lost; nothing was changed, try again",
    ),
    (r"read-only|readonly|25006", "it is read-only; ask its owner, or write a file"),
    (r"schema .* does not exist|3F000", "it has no such schema; make it first"),
    (
        r"invalid (URI|integer value|percent-enc|.*value: |connection option)|missing \"=\""
        r"|unrecognized configuration",
        "its address is not understood; in user and password write %2F for / and %40 for @",
    ),
    (r"permission denied|42501|insufficient privilege", "the user may not do that; ask its owner"),
    (
        r"database is locked|Could not set lock|Conflicting lock|already in use",
        "another program has it locked; close that and try again",
    ),
    (
        r"file is not a database|not a valid DuckDB|unable to open|Cannot open file|encrypted",
        "its file is not there, broken or not of this kind",
    ),
    (
        r"type mismatch in column",
        "a column has values of several types; read it by a query as one, such as CAST(age AS REAL) AS age",
    ),
    (
        r"duplicate|occurred more than once|42702",
        "two columns of the answer have the same name; name one otherwise with AS",
    ),
    (
        r"unsupported type|NOT_IMPLEMENTED|conversion from .* failed|decimal128|too large|out of range",
        "it cannot store the type of a column, or its longest numbers; make them texts, or leave them out",
    ),
    (r"disk full|No space left|disk I/O|53100", "its disk is full"),
    (
        r"syntax error|42601|Parser Error|column .* does not exist|no such column|42703|Binder Error",
        "it does not understand the query; try the query there first",
    ),
)


def reason_of(error: BaseException) -> str:
    """What an error of a database means, without its own words.

    >>> reason_of(ValueError("FATAL: password authentication failed for user ana"))[:38]
    'it refused the user or the password; s'
    """
    text = f"{getattr(error, 'sqlstate', '') or ''} {type(error).__name__} {error}"
    reason = next((why for words, why in REASONS if re.search(words, text, re.IGNORECASE)), None)
    return reason or f"it answered with an error ({type(error).__name__}) that may quote values"
