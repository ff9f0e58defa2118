import pytest

from shoal import Recipe
from shoal.distributed.steps_at_scale import FORMS, stages_of
from shoal.errors import NotApplicable
from shoal.workflow.registry import STEPS, options_of

OPTIONS = {
    "microaggregate": {"k": 3},
    "mondrian": {"k": 3},
    "suppress_to_k": {"k": 3},
    "recode_to_k": {"k": 3},
    "protect_clusters": {"clusters": 2, "masker": {"method": "microaggregate", "k": 3}},
    "rank_swap": {"percent": 5},
    "add_noise": {"amount": 0.1},
    "pram": {"matrices": {"a": [[1.0]]}},
    "top_code": {"threshold": 1},
    "bottom_code": {"threshold": 1},
    "global_recode": {"levels": {"a": 1}},
}


def stages(*steps, **recipe):
    return stages_of(Recipe("r", {"quasi": ["a"]}, list(steps), **recipe))


@pytest.mark.parametrize("masker", STEPS, ids=lambda masker: masker.__name__)
def test_every_step_has_a_form_or_is_refused_in_one_sentence(masker):
    method = masker.__name__
    needed = [name for name, option in options_of(masker).items() if option.default is option.empty]
    step = {"method": method, **OPTIONS.get(method, dict.fromkeys(needed, 1))}
    if method in FORMS:
        assert len(stages(step)) == 1
    else:
        with pytest.raises(NotApplicable, match=f"{method} has no form"):
            stages(step)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"method": "suppress_to_k", "gaps": "wildcard"}, "gaps"),
        ({"method": "suppress_to_k", "limits": {"a": 1}}, "limits"),
        ({"method": "mondrian", "t_closeness": 0.2, "confidential": "b"}, "t_closeness"),
        ({"method": "recode_to_k", "scheme": "local"}, "scheme"),
        ({"method": "recode_to_k", "promise": {"t": {"b": 0.2}}}, "other than l"),
        ({"method": "protect_clusters", "clusters": [0, 1]}, "other than a number"),
        ({"method": "microaggregate", "scale": "robust"}, "scale"),
        ({"method": "microaggregate", "where": "a > 3"}, "where"),
        ({"method": "rank_swap", "strata": "b"}, "strata"),
        ({"method": "top_code", "quantile": 0.9, "threshold": None, "where": "a > 3"}, "where"),
    ],
)
def test_options_that_need_the_whole_file_are_refused(step, words):
    with pytest.raises(NotApplicable, match=words):
        stages({**OPTIONS[step["method"]], **step})


def test_what_a_recipe_asks_for_besides_its_steps_is_not_forgotten():
    with pytest.raises(NotApplicable, match="Edit rules"):
        stages({"method": "top_code", "threshold": 1}, edits=["a >= 0"])
    with pytest.raises(NotApplicable, match="first step"):
        stages({"method": "top_code", "threshold": 1}, {"method": "recode_to_k", "k": 3})


@pytest.mark.parametrize("method", [method for method, form in FORMS.items() if form != "record"])
def test_strata_would_be_mixed_in_groups(method):
    with pytest.raises(NotApplicable, match=f"{method} does not treat strata apart"):
        stages_of(Recipe("r", {"quasi": ["a"], "stratum": ["b"]}, [{"method": method, **OPTIONS[method]}]))
    record = {"method": "top_code", "threshold": 1, "columns": ["a"]}
    assert len(stages_of(Recipe("r", {"quasi": ["a"], "stratum": ["b"]}, [record]))) == 1


def test_what_learns_from_the_file_begins_a_stage_of_its_own():
    found = stages(
        {"method": "top_code", "threshold": 1},
        {"method": "bottom_code", "threshold": 0},
        {"method": "top_code", "quantile": 0.9},
        {"method": "microaggregate", "k": 3},
        {"method": "global_recode", "cuts": {"a": [1]}},
    )
    assert [(len(s.steps), s.grouped, s.first) for s in found] == [
        (2, False, 0),
        (1, False, 2),
        (1, True, 3),
        (1, False, 4),
    ]
