import type { ClusterSummary } from "@keelson/portal-api";
import { FormSelect, FormSelectOption } from "@patternfly/react-core";
import { type Choice, countValues, type FacetCount, type FacetName, facets } from "./facets.ts";

interface FacetBarProps {
  readonly clusters: readonly ClusterSummary[];
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
  readonly nowMs: number;
}

/**
 * Bar with the numbers of clusters by health, state, version and region. A click on a value selects it, so that only clusters
 * with this value are shown.
 */
export function FacetBar({ clusters, choice, onChoice, nowMs }: FacetBarProps) {
  const counts = (name: FacetName) => countValues(clusters, name, choice, nowMs);
  const choose = (name: FacetName) => (values: readonly string[]) => onChoice({ ...choice, [name]: values });
  return (
    <div className="facets">
      {(["health", "state"] as const).map((name) => (
        <ValueButtons
          key={name}
          title={facets[name].title}
          counts={counts(name)}
          chosen={choice[name] ?? []}
          onChoose={choose(name)}
        />
      ))}
      {(["version", "region"] as const).map((name) => (
        <ValueSelect
          key={name}
          title={facets[name].title}
          counts={counts(name)}
          chosen={choice[name] ?? []}
          onChoose={choose(name)}
        />
      ))}
    </div>
  );
}

interface ValuesProps {
  readonly title: string;
  readonly counts: readonly FacetCount[];
  readonly chosen: readonly string[];
  readonly onChoose: (values: readonly string[]) => void;
}

function ValueButtons({ title, counts, chosen, onChoose }: ValuesProps) {
  const toggle = (value: string) =>
    onChoose(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]);
  return (
    <fieldset className="facet">
      <legend>{title}</legend>
      {counts.map(({ value, count }) => (
        <button key={value} type="button" aria-pressed={chosen.includes(value)} onClick={() => toggle(value)}>
          {value} <span className="count">{count}</span>
        </button>
      ))}
    </fieldset>
  );
}

function ValueSelect({ title, counts, chosen, onChoose }: ValuesProps) {
  const [value = ""] = chosen;
  return (
    <fieldset className="facet">
      <legend>{title}</legend>
      <FormSelect
        aria-label={title}
        value={value}
        onChange={(_, next) => onChoose(next === "" ? [] : [next])}
      >
        <FormSelectOption value="" label="all" />
        {counts.map((each) => (
          <FormSelectOption key={each.value} value={each.value} label={`${each.value} (${each.count})`} />
        ))}
      </FormSelect>
    </fieldset>
  );
}
