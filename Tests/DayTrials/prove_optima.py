"""Proves the best worth and the least cost of trial days with OR-Tools CP-SAT.

Reads days, one JSON object per line (`TrialDay.json`), and writes a line `family seed worth cost`
for each, with `?` for what was not proved within the time limit. It shares nothing with DayPlan. If
a day has the worth of a plan that is already "known" and that the checker passed, it only proves
that no plan has more.

    pip install ortools==9.15.6755
    python3 prove_optima.py days.jsonl optima.txt SECONDS_FOR_WORTH SECONDS_FOR_COST
"""
import json
import sys

from ortools.sat.python import cp_model


def build(day):
    """The variables and rules of a day; its worth and its cost as expressions."""
    model = cp_model.CpModel()
    horizon = day["sleep"] + day["pause"]
    rests, worth, cost = [], [], []
    every = []
    fixed = [
        model.new_fixed_size_interval_var(start, end - start, "") for start, end in day["blocked"]
    ]
    for routine in day["routines"]:
        low = max(day["wake"], routine["window"][0])
        high = min(day["sleep"], routine["window"][1])
        any_present = model.new_bool_var("")
        first = model.new_int_var(0, horizon, "")
        last = model.new_int_var(0, horizon, "")
        presents, busy, reach = [], [], None
        for minutes, priority in routine["actions"]:
            present = model.new_bool_var("")
            presents.append(present)
            worth.append((1 << (priority - 1)) * present)
            if high - low < minutes:
                model.add(present == 0)
                continue
            start = model.new_int_var(low, high - minutes, "")
            interval = model.new_optional_fixed_size_interval_var(start, minutes, present, "")
            every.append(interval)
            model.add(start >= first).only_enforce_if(present)
            model.add(start + minutes <= last).only_enforce_if(present)
            # The end of the latest action so far that is present.
            after = model.new_int_var(0, horizon, "")
            if reach is not None:
                model.add(start >= reach).only_enforce_if(present)
                model.add(after >= reach)
            model.add(after >= start + minutes).only_enforce_if(present)
            reach = after
            busy.append(minutes * present)
        model.add_max_equality(any_present, presents)
        # The routine occupies its whole stretch and the pause after it.
        size = model.new_int_var(0, horizon, "")
        end = model.new_int_var(0, horizon + day["pause"], "")
        rests.append(model.new_optional_interval_var(first, size, end, any_present, ""))
        model.add(end == last + day["pause"]).only_enforce_if(any_present)
        model.add(first == 0).only_enforce_if(~any_present)
        model.add(last == 0).only_enforce_if(~any_present)
        away = model.new_int_var(0, horizon, "")
        model.add(away >= first - routine["preferred"]).only_enforce_if(any_present)
        model.add(away >= routine["preferred"] - first).only_enforce_if(any_present)
        cost += [2 * (last - first), away] + [-2 * minutes for minutes in busy]
    model.add_no_overlap(rests)
    model.add_no_overlap(every + fixed)
    return model, sum(worth), sum(cost)


def solve(model, seconds):
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    return solver, status == cp_model.OPTIMAL


def prove(day, seconds, cost_seconds):
    """The best worth, and the least cost of that worth; None for what was not proved."""
    model, worth, cost = build(day)
    if "known" in day:
        model.add(worth >= day["known"])
    model.maximize(worth)
    solver, proved = solve(model, seconds)
    if not proved:
        return None, None
    most = round(solver.objective_value)
    values = [solver.value(model.get_int_var_from_proto_index(index))
              for index in range(len(model.proto.variables))]
    if cost_seconds == 0:
        return most, None
    model, worth, cost = build(day)
    model.add(worth == most)
    for index, value in enumerate(values):
        model.add_hint(model.get_int_var_from_proto_index(index), value)
    model.minimize(cost)
    solver, proved = solve(model, cost_seconds)
    return most, round(solver.objective_value) if proved else None


def main():
    days, output, seconds, cost_seconds = sys.argv[1:5]
    with open(days) as lines, open(output, "a") as results:
        for line in lines:
            day = json.loads(line)
            worth, cost = prove(day, float(seconds), float(cost_seconds))
            words = [day["family"], day["seed"], *("?" if v is None else v for v in (worth, cost))]
            print(*words, file=results, flush=True)


main()
