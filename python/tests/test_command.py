"""`python -m penstock.order`: plans without a dataset, and certificates."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.command import main
from penstock_testing import formulas

VECTORS = json.loads((Path(__file__).parent / "data" / "order-vectors.json").read_text())
EXAMPLE = ["--row-groups", "5,4,3", "--seed", "7", "--lanes", "2", "--batch", "4", "--window", "2"]
DIGEST = "2527cff3c720260fd065b45466d72ccc"


def test_it_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "penstock.order", "plan", *EXAMPLE, "--json"],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["epochs"][0]["order_digest"] == DIGEST


def test_plan_of_options(capsys):
    assert main(["plan", *EXAMPLE, "--epochs", "0", "--json"]) == 0
    want = {"epoch": 0, "steps": 3, "padding": 0, "first_rows": [10, 5, 3, 2], "last_rows": [8, 7, 1, 4], "order_digest": DIGEST}
    given = {"rows": [5, 4, 3], "seed": 7, "lanes": 2, "batch": 4, "window": 2, "want_epochs": [0]}
    assert json.loads(capsys.readouterr().out) == {**given, "epochs": [want]}


def test_plan_for_people_names_the_digest(capsys):
    assert main(["plan", *EXAMPLE]) == 0
    assert f"order digest  {DIGEST}\n" in capsys.readouterr().out


def test_plan_of_cases_fills_in_the_epochs_and_ignores_given_ones(capsys, tmp_path):
    cases = [{**case, "epochs": "whatever"} for case in VECTORS["larger_plans"]]
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(cases))
    assert main(["plan", "--cases", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == VECTORS["larger_plans"]


def test_plan_reports_the_errors_of_all_cases_at_once(capsys, tmp_path):
    file = tmp_path / "cases.json"
    good = {"rows": [5, 4, 3], "seed": 7, "lanes": 2, "batch": 4}
    file.write_text(json.dumps([{**good, "lane": 2}, good, {**good, "batch": 5}, {**good, "rows": 3, "want_epochs": []}, {"seed": 1}, 7]))
    assert main(["plan", "--cases", str(file), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        f"{file}: case 0: unknown field: lane (did you mean lanes?)",
        f"{file}: case 2: must be a multiple of lanes: batch=5, lanes=2",
        f"{file}: case 3: must be a list of whole numbers, at least one: rows=3",
        f"{file}: case 3: must be a list of whole numbers, at least one: want_epochs=[]",
        f"{file}: case 4: is missing: rows",
        f"{file}: case 4: is missing: lanes",
        f"{file}: case 4: is missing: batch",
        f"{file}: case 5: must be an object: 7",
    ]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["plan"], "needs one of --row-groups and --cases"),
        (["plan", "--cases", "x.json", "--seed", "1"], "--cases takes everything from the file: --seed"),
        (["plan", "--cases", "no-such-file"], "no-such-file: can't be read: No such file or directory"),
        (["plan", "--row-groups", "5,,3", "--seed", "1", "--lanes", "1", "--batch", "1"], "rows of row group="),
        (["plan", *EXAMPLE, "--seed", "9223372036854775808"], "must be a whole number >= 0 and < 2^63: seed=9223372036854775808"),
        (["plan", *EXAMPLE, "--epochs", "-1"], "must be a whole number >= 0 and < 2^32: want_epochs=-1"),
    ],
)
def test_what_plan_refuses(capsys, arguments, message):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["plans"], ["plan", "--rows", "5"], ["plan", "--row", "5"], ["verify"]])
def test_usage_errors_end_with_status_2(capsys, arguments):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: " in capsys.readouterr().err


def certificate(**changes):
    order = {"seed": 7, "lanes": 2, "batch": 4, "window": 2, "shuffle": "rows", "deal": "fixed", "remainder": "drop"}
    made = {"penstock": 1, "order": order, "row_groups": [5, 4, 3], "epochs": [{"epoch": 0, "steps": 3, "order": DIGEST}]}
    return {**made, **changes}


def verify(tmp_path, value, *options):
    file = tmp_path / "certificate.json"
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    return main(["verify", str(file), *options])


def test_a_true_certificate_is_equal(capsys, tmp_path):
    assert verify(tmp_path, certificate()) == 0
    assert capsys.readouterr().out == f"epoch 0 steps 0:3: equal, {DIGEST}\nequal: 1 of 1\n"


def test_published_epochs_are_equal_whatever_their_shape(capsys, tmp_path):
    for case in VECTORS["larger_plans"]:
        order = {field: case[field] for field in ("seed", "lanes", "batch", "window", "shuffle", "deal", "remainder")}
        epochs = [
            {"epoch": one["epoch"], "steps": one["steps"], "order": one["order_digest"], "values": "0" * 32} for one in case["epochs"]
        ]
        given = certificate(order=order, row_groups=case["rows"], epochs=epochs, job="application_1_1", feed="a" * 64)
        assert verify(tmp_path, given) == 0
        assert capsys.readouterr().out.endswith(f"equal: {len(epochs)} of {len(epochs)}\n")


def test_parts_of_an_epoch_are_checked_alone(capsys, tmp_path):
    first = formulas.order_digest(0, range(0, 4), [10, 5, 3, 2])
    rest = formulas.order_digest(0, range(4, 12), [6, 9, 11, 0, 8, 7, 1, 4])
    epochs = [
        {"epoch": 0, "steps": 3, "to_step": 1, "order": first},
        {"epoch": 0, "steps": 3, "from_step": 1, "order": rest},
    ]
    assert verify(tmp_path, certificate(epochs=epochs)) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [f"epoch 0 steps 0:1: equal, {first}", f"epoch 0 steps 1:3: equal, {rest}"]
    epochs[1]["order"] = first
    assert verify(tmp_path, certificate(epochs=epochs)) == 1


def blocks_of_epoch_0():
    """The epoch of the worked example in blocks of one step."""
    rows = [[10, 5, 3, 2], [6, 9, 11, 0], [8, 7, 1, 4]]
    return [
        {"from_step": t, "to_step": t + 1, "order": formulas.order_digest(0, range(4 * t, 4 * t + 4), rows[t]), "values": "0" * 32}
        for t in range(3)
    ]


def test_blocks_are_checked_and_the_first_that_differs_is_named(capsys, tmp_path):
    blocks = blocks_of_epoch_0()
    epoch = {"epoch": 0, "steps": 3, "order": DIGEST, "blocks": blocks, "delivered_again": 8}
    assert verify(tmp_path, certificate(epochs=[epoch])) == 0
    assert verify(tmp_path, certificate(epochs=[{**epoch, "blocks": blocks[1:]}])) == 0
    assert verify(tmp_path, certificate(epochs=[{**epoch, "blocks": blocks, "delivered_again": 8}])) == 0
    capsys.readouterr()
    # Two blocks exchange their digests, so that their sum stays the epoch's.
    swapped = [blocks[0], {**blocks[1], "order": blocks[2]["order"]}, {**blocks[2], "order": blocks[1]["order"]}]
    assert verify(tmp_path, certificate(epochs=[{**epoch, "blocks": swapped}])) == 1
    assert "the first block that differs: steps 1:2, the certificate has " + blocks[2]["order"] in capsys.readouterr().out
    assert verify(tmp_path, certificate(epochs=[{**epoch, "blocks": swapped}]), "--json") == 1
    assert json.loads(capsys.readouterr().out)["epochs"][0]["blocks"] == {
        "checked": 3,
        "first_different": {
            "from_step": 1,
            "to_step": 2,
            "order": {"certificate": blocks[2]["order"], "contract": blocks[1]["order"]},
        },
    }
    assert verify(tmp_path, certificate(epochs=[{**epoch, "order": "0" * 32}])) == 1
    assert "none of its 3 blocks differs" in capsys.readouterr().out


def test_a_false_certificate_names_the_first_epoch_and_both_digests(capsys, tmp_path):
    wrong = "0" * 32
    epochs = [{"epoch": 0, "steps": 3, "order": DIGEST}, {"epoch": 5, "steps": 3, "order": wrong}, {"epoch": 6, "steps": 3, "order": wrong}]
    assert verify(tmp_path, certificate(epochs=epochs)) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith(f"epoch 5 steps 0:3: different, the certificate has {wrong}, the contract ")
    assert lines[-1] == "different: 2 of 3, the first is epoch 5"


def test_another_number_of_steps_is_a_difference(capsys, tmp_path):
    assert verify(tmp_path, certificate(epochs=[{"epoch": 0, "steps": 4, "to_step": 3, "order": DIGEST}])) == 1
    assert "(of 4 steps, but an epoch has 3)" in capsys.readouterr().out
    assert verify(tmp_path, certificate(epochs=[{"epoch": 0, "steps": 4, "order": DIGEST}])) == 1
    assert "the contract no such steps" in capsys.readouterr().out


def test_verify_as_json(capsys, tmp_path):
    assert verify(tmp_path, certificate(epochs=[{"epoch": 0, "steps": 3, "order": "0" * 32}]), "--json") == 1
    assert json.loads(capsys.readouterr().out) == {
        "equal": False,
        "epochs": [
            {
                "epoch": 0,
                "from_step": 0,
                "to_step": 3,
                "equal": False,
                "steps": {"certificate": 3, "contract": 3},
                "order": {"certificate": "0" * 32, "contract": DIGEST},
            }
        ],
    }


@pytest.mark.parametrize(
    "given, message",
    [
        ("", "not JSON: "),
        ('{"penstock": 1, "penstock": 1}', "not JSON: field twice: penstock"),
        ("[" * 100000, "not JSON: "),
        ("[]", "must be an object: []"),
        ("{}", "is missing: row_groups"),
        (certificate(penstock=2), "must be 1, the only version there is: penstock=2"),
        (certificate(penstock=True), "must be 1, the only version there is: penstock=True"),
        (certificate(epoch=[]), "unknown field: epoch (did you mean epochs?)"),
        (certificate(epochs=[]), "must be a list of at least one epoch: epochs"),
        (certificate(row_groups=[5, 4.0]), "must be a whole number >= 1 and < 2^32: rows of row group=4.0"),
        (certificate(row_groups=12), "must be a list of whole numbers: row_groups"),
        (certificate(order={"seed": 7}), "order: is missing: lanes"),
        (certificate(feed="A" * 64), "must be 64 lower-case hex digits: feed="),
        (certificate(job=7), "must be text: job=7"),
        (certificate(epochs=[{"epoch": 0, "steps": 3, "order": DIGEST[1:]}]), "epochs[0]: must be 32 lower-case hex digits: order="),
        (
            certificate(epochs=[{"epoch": 0, "steps": 3, "order": DIGEST, "delivered_again": -1}]),
            "epochs[0]: must be a whole number >= 0 and < 2^63: delivered_again=-1",
        ),
        (
            certificate(epochs=[{"epoch": 0, "steps": 3, "order": DIGEST, "values": ""}]),
            "epochs[0]: must be 32 lower-case hex digits: values=",
        ),
        (certificate(epochs=[{"epoch": 0, "steps": 3}]), "epochs[0]: is missing: order"),
        (
            certificate(epochs=[{"epoch": 0, "steps": 3, "from_step": 2, "to_step": 2, "order": DIGEST}]),
            "epochs[0]: must be steps of the epoch, at least one: from_step=2, to_step=2, steps=3",
        ),
        (
            certificate(epochs=[{"epoch": 0, "steps": 3, "to_step": 4, "order": DIGEST}]),
            "epochs[0]: must be steps of the epoch, at least one: from_step=0, to_step=4, steps=3",
        ),
        (certificate(epochs=[{"epoch": 0, "steps": 3, "order": DIGEST, "blocks": {}}]), "epochs[0]: must be a list: blocks"),
        (
            certificate(epochs=[{"epoch": 0, "steps": 3, "order": DIGEST, "blocks": [blocks_of_epoch_0()[0], blocks_of_epoch_0()[0]]}]),
            "epochs[0]: blocks[1]: must be steps of its epoch's part, at least one, after those of the block before: from_step=0, to_step=1",
        ),
        (
            certificate(epochs=[{"epoch": 0, "steps": 3, "order": DIGEST, "blocks": [{"from_step": 0, "to_step": 1}]}]),
            "epochs[0]: blocks[0]: is missing: order",
        ),
        (
            certificate(epochs=[{"epoch": 0, "steps": 3, "order": DIGEST, "delivered_again": -1}]),
            "epochs[0]: must be a whole number >= 0 and < 2^63: delivered_again=-1",
        ),
        (certificate(epochs=[{"epoch": -1, "steps": 3, "order": DIGEST}]), "epochs[0]: must be a whole number >= 0 and < 2^32: epoch=-1"),
    ],
)
def test_a_bad_certificate_is_refused_with_the_reason(capsys, tmp_path, given, message):
    assert verify(tmp_path, given) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert str(tmp_path) in err
    assert message in err


def test_a_missing_certificate_is_a_bad_file(capsys, tmp_path):
    assert main(["verify", str(tmp_path / "none.json")]) == 2
    assert "can't be read: No such file or directory" in capsys.readouterr().err
