"""What a file promises, as options: --k, --l, --t, --max-risk, --model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import typer

from shoal.cli._texts.option_texts import names_from
from shoal.cli._texts.promise_texts import levels_from, models_from, named_confidential
from shoal.models.promise import Promise

K = Annotated[int | None, typer.Option(help="minimum number of records that look alike: your promise")]
LDiversity = Annotated[
    list[str] | None,
    typer.Option("--l", help="different confidential values among look-alikes", metavar="[COLUMN=]L"),
]
TCloseness = Annotated[
    list[str] | None,
    typer.Option(
        "--t", help="distance of their distribution from the file's, e.g. salary=0.2", metavar="[COLUMN=]T"
    ),
]
LOn = Annotated[
    list[str] | None,
    typer.Option(
        "--l-on", help="the confidential columns a bare --l is for; all if not given", metavar="COLUMNS"
    ),
]
TOn = Annotated[
    list[str] | None,
    typer.Option(
        "--t-on", help="the confidential columns a bare --t is for; all if not given", metavar="COLUMNS"
    ),
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="more to promise, e.g. alpha_k.alpha=0.5 or k_map.people=20",
        metavar="MODEL.OPTION=VALUE",
    ),
]
KnownKeys = Annotated[
    int | None,
    typer.Option(help="k in any so many of the keys, if an intruder knows no more of them (weaker)"),
]
WholeHouseholds = Annotated[
    str | None,
    typer.Option(
        help="k also of households as wholes, for who knows what members share and how many they are (size), "
        "or all of every member (members)",
        metavar="SIZE|MEMBERS",
    ),
]
MaxRisk = Annotated[
    float | None,
    typer.Option(help="highest chance to pick the right record, a fraction: 0.09 means k = 12"),
]


@dataclass(frozen=True)
class Hiding:
    """What look-alikes must be like besides their number: the options where k is said otherwise."""

    l: LDiversity = None
    l_on: LOn = None
    t: TCloseness = None
    t_on: TOn = None
    model: Models = None

    @property
    def named(self) -> list[str]:
        """The columns these options call confidential."""
        others = Promise(others=models_from(self.model)).confidential
        return [*named_confidential(self.l, self.l_on, self.t, self.t_on), *others]

    def promise(self, confidential: Sequence[str]) -> Promise:
        """The promise; a bare number holds for the columns of --l-on or --t-on, or all."""
        everywhere = list(dict.fromkeys([*confidential, *self.named]))
        return Promise(
            l=levels_from("l", self.l, names_from(self.l_on, everywhere) or everywhere),
            t=levels_from("t", self.t, names_from(self.t_on, everywhere) or everywhere),
            others=models_from(self.model),
        )


@dataclass(frozen=True)
class Promising:
    """What a release keeps: the options every command that counts or releases has."""

    k: K = None
    l: LDiversity = None
    l_on: LOn = None
    t: TCloseness = None
    t_on: TOn = None
    max_risk: MaxRisk = None
    known_keys: KnownKeys = None
    whole_households: WholeHouseholds = None
    model: Models = None

    @property
    def hiding(self) -> Hiding:
        """What is asked for besides the number of look-alikes."""
        return Hiding(self.l, self.l_on, self.t, self.t_on, self.model)

    @property
    def named(self) -> list[str]:
        """The columns these options call confidential."""
        return self.hiding.named

    def promise(self, confidential: Sequence[str]) -> Promise:
        """The promise; a bare number holds for the columns of --l-on or --t-on, or all."""
        hiding = self.hiding.promise(confidential)
        return replace(
            hiding,
            k=self.k,
            max_risk=self.max_risk,
            known_keys=self.known_keys,
            whole_households=self.whole_households,
        )
