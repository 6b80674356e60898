"""Computes what comparisons of fixed data sets must give, with statsmodels and scipy, and writes cases.json.

    python3 -m pip install numpy==2.* scipy==1.17.* statsmodels==0.15.* && python3 make.py

The data sets are drawn with a fixed seed. Nothing here is taken from the Rust code: the change and the variance between
prompts come from a least-squares regression with one constant per pair and cluster-robust errors, and the exact tests from
scipy's permutation test. Only the variance between days has no counterpart in these libraries and is computed with numpy.
"""

import itertools
import json
import math
import pathlib

import numpy as np
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests

MIN_PROMPTS, MIN_DAYS, MAX_FLIPPED, MAX_ARRANGEMENTS, MIN_SHARE = 6, 3, 7, 10_000, 0.25


def draw(rng, prompts, models, days, rate, correlation, change, gaps, per_day):
    """Returns rows (prompt, model, side, day, count, total)."""
    rows = []
    size = (1 - correlation) / correlation
    rates = rng.beta(rate * size, (1 - rate) * size, prompts)
    for side, day in itertools.product((0, 1), range(days)):
        shift = rng.normal(0, 0.3)
        for prompt, model in itertools.product(range(prompts), range(models)):
            if rng.random() < gaps:
                continue
            odds = math.log((rates[prompt] + 1e-6) / (1 - rates[prompt] + 1e-6)) + shift
            p = 1 / (1 + math.exp(-odds))
            p += side * change * (1 - p)
            total = int(rng.integers(1, per_day + 1))
            rows.append((prompt, model, side, day, int(rng.binomial(total, p)), total))
    return rows


def single_answers(rows):
    """Returns one row per answer: prompt, model, side, day, 0 or 1."""
    return [
        (prompt, model, side, day, float(n < count))
        for prompt, model, side, day, count, total in rows
        for n in range(total)
    ]


def compare(rows):
    asked = [{(p, m) for p, m, s, *_ in rows if s == side} for side in (0, 1)]
    pairs = sorted(asked[0] & asked[1])
    answers = [a for a in single_answers(rows) if (a[0], a[1]) in pairs]
    prompt, _, side, day, y = (np.array(column) for column in zip(*answers))
    pair = np.array([pairs.index((a[0], a[1])) for a in answers])
    days = [sorted(set(day[side == s])) for s in (0, 1)]
    if min(map(len, days)) < MIN_DAYS:
        return None

    # One constant per pair, and the change.
    x = np.column_stack([side, *(pair == k for k in range(len(pairs)))]).astype(float)
    model = sm.OLS(y, x)
    change = model.fit().params[0]
    # What of the window is not explained by the pair, and the residuals about the rates of each pair and window.
    partial = side - np.array([side[pair == k].mean() for k in range(len(pairs))])[pair]
    weight = (partial**2).sum()
    rate = {(k, s): y[(pair == k) & (side == s)].mean() for k in range(len(pairs)) for s in (0, 1)}
    residual = partial * (y - np.array([rate[k, s] for k, s in zip(pair, side)]))

    def squares_of_days(select):
        return [sum(residual[select & (side == s) & (day == d)].sum() ** 2 for d in days[s]) for s in (0, 1)]

    corrections = [len(d) / (len(d) - 1) for d in days]
    by_day = [c * v / weight**2 for c, v in zip(corrections, squares_of_days(np.full(len(y), True)))]
    df_days = sum(by_day) ** 2 / sum(v**2 / (len(d) - 1) for v, d in zip(by_day, days)) if sum(by_day) else min(map(len, days)) - 1
    prompts = sorted(set(prompt))
    exact = None
    if len(prompts) >= MIN_PROMPTS:
        fit = model.fit(cov_type="cluster", cov_kwds={"groups": prompt, "use_correction": False})
        variance = len(prompts) / (len(prompts) - 1) * fit.cov_params()[0, 0]
        df = len(prompts) - 1
        within = np.sum([squares_of_days(prompt == p) for p in prompts], axis=0)
        added = sum(v - c * w / weight**2 for v, c, w in zip(by_day, corrections, within))
        if added > 1e-9 * sum(by_day):
            spread = variance**2 / df + sum(by_day) ** 2 / df_days
            variance += added
            df = max(variance**2 / spread, min(df, df_days))
        if len(prompts) <= MAX_FLIPPED:
            differences = np.array([(partial * y)[prompt == p].sum() for p in prompts])
            test = stats.permutation_test(
                (differences,), lambda d, axis: np.abs(d.sum(axis=axis)), vectorized=True,
                permutation_type="samples", n_resamples=np.inf, alternative="greater",
            )
            exact = test.pvalue
    else:
        variance, df = sum(by_day), df_days
        if math.comb(sum(map(len, days)), len(days[0])) <= MAX_ARRANGEMENTS:
            common = np.array([y[pair == k].mean() for k in range(len(pairs))])
            excess = y - common[pair]
            scores = [[excess[(side == s) & (day == d)].sum() for d in days[s]] for s in (0, 1)]
            # The scores of both windows add up to 0, so that the sum of the window alone orders the arrangements.
            test = stats.permutation_test(
                (scores[1], scores[0]), lambda w, b, axis: np.abs(w.sum(axis=axis)), vectorized=True,
                n_resamples=np.inf, alternative="greater",
            )
            exact = test.pvalue
    smooth = [(y[side == s].sum() + 1) / (np.sum(side == s) + 2) for s in (0, 1)]
    independent = 0.0
    for k in range(len(pairs)):
        n = [np.sum((pair == k) & (side == s)) for s in (0, 1)]
        w = n[0] * n[1] / (n[0] + n[1])
        for s in (0, 1):
            p = (y[(pair == k) & (side == s)].sum() + smooth[s]) / (n[s] + 1)
            independent += w**2 * p * (1 - p) / n[s] / weight**2
    error = math.sqrt(max(variance, MIN_SHARE * independent))
    t = stats.t(df)
    p_value = min(1.0, 2 * t.sf(abs(change) / error))
    half = t.ppf(0.975) * error
    return {
        "change": change,
        "interval": [max(-1.0, change - half), min(1.0, change + half)],
        "p_value": p_value if exact is None else max(p_value, exact),
        "standard_error": error,
        "degrees_of_freedom": df,
    }


def main():
    rng = np.random.default_rng(2024)
    cases = []
    shapes = itertools.product((1, 2, 5, 6, 7, 8, 12, 20), (1, 3), (2, 3, 7, 12), (0.05, 0.4))
    for number, (prompts, models, days, rate) in enumerate(shapes):
        change = (0.0, 0.2, 0.6)[number % 3]
        gaps = (0.0, 0.15)[number // 3 % 2]
        per_day = (1, 1, 4)[number // 2 % 3]
        rows = draw(rng, prompts, models, days, rate, (0.05, 0.3)[number % 2], change, gaps, per_day)
        sides = {row[2] for row in rows}
        if sides != {0, 1} or not rows:
            continue
        cases.append({"rows": rows, "expected": compare(rows)})
    # All alike, in one window and in both.
    for first, second in ((0, 1), (0, 0), (1, 1)):
        rows = [(p, 0, s, d, (first, second)[s], 1) for p, s, d in itertools.product(range(8), (0, 1), range(7))]
        cases.append({"rows": rows, "expected": compare(rows)})
    families = []
    for size in (1, 2, 5, 25, 100):
        p_values = np.concatenate([rng.random(size), rng.random(size // 2) / 50]).tolist()
        found = multipletests(p_values, alpha=0.05, method="fdr_bh")[0]
        families.append({"p_values": p_values, "discoveries": found.tolist()})
    path = pathlib.Path(__file__).with_name("cases.json")
    path.write_text(json.dumps({"comparisons": cases, "families": families}, separators=(",", ":")) + "\n")
    print(len(cases), "comparisons,", sum(case["expected"] is None for case in cases), "of too few days")


if __name__ == "__main__":
    main()
