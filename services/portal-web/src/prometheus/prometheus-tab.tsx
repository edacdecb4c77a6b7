import { Button, FormSelect, FormSelectOption, TextInput } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useSearchParams } from "wouter";
import { queries } from "../api/queries.ts";
import { Labelled } from "../display/labelled.tsx";
import { QueryView } from "../display/query-view.tsx";
import { visibleText } from "../display/visible-text.ts";
import type { TabProps } from "../navigation/tab-props.ts";
import { durations } from "../statistics/durations.ts";
import { errorPosition } from "./error-position.ts";
import { examples, parsePromQuery, promTarget } from "./prom-query.ts";
import { parsePromResult } from "./prom-result.ts";
import { PromResultView } from "./prom-result-view.tsx";

const nowText = () => `${new Date().toISOString().slice(0, 19)}Z`;

/** Page for queries of the cluster's Prometheus. Results are shown as a table or a graph. */
export default function PrometheusTab({ cluster }: TabProps) {
  const [search, setSearch] = useSearchParams();
  const [now, setNow] = useState(nowText);
  const asked = parsePromQuery(search, now);
  const [text, setText] = useState(asked.query);
  const names = useQuery(queries.metricNames(cluster));
  const result = useQuery({
    ...queries.promQuery(cluster, promTarget(asked)),
    enabled: asked.query !== "",
    placeholderData: (before) => before,
  });
  const position = result.error ? errorPosition(asked.query, result.error.message) : undefined;
  const change = (changes: Readonly<Record<string, string>>) => {
    const { query, view, duration } = asked;
    const next = { query, view, duration, end: search.get("end") ?? "", ...changes };
    setSearch(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "")), {
      replace: true,
    });
    setNow(nowText());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ query: text.trim() });
  };
  return (
    <>
      <form className="toolbar" onSubmit={submit}>
        <TextInput
          id="promql"
          className="promql"
          aria-label="PromQL expression"
          placeholder="PromQL expression, for example up == 0"
          list="metric-names"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(_, value) => setText(value)}
        />
        <datalist id="metric-names">
          {(names.data ?? []).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Button type="submit" variant="primary">
          Execute
        </Button>
        <Labelled label="View" htmlFor="prom-view">
          <FormSelect id="prom-view" value={asked.view} onChange={(_, view) => change({ view })}>
            <FormSelectOption value="table" label="Table" />
            <FormSelectOption value="graph" label="Graph" />
          </FormSelect>
        </Labelled>
        {asked.view === "graph" && (
          <Labelled label="Duration" htmlFor="prom-duration">
            <FormSelect
              id="prom-duration"
              value={asked.duration}
              onChange={(_, duration) => change({ duration })}
            >
              {durations.map((each) => (
                <FormSelectOption key={each} value={each} label={each} />
              ))}
            </FormSelect>
          </Labelled>
        )}
        <Labelled label="End time (UTC)" htmlFor="prom-end">
          <TextInput
            id="prom-end"
            type="datetime-local"
            value={search.get("end") ?? ""}
            onChange={(_, end) => change({ end })}
          />
        </Labelled>
      </form>
      {asked.query === "" ? (
        <Examples
          onChoose={(query) => {
            setText(query);
            change({ query });
          }}
        />
      ) : (
        <>
          {position !== undefined && (
            <section className="outcome-text" aria-label="Position of the error">
              <pre>{visibleText(position)}</pre>
            </section>
          )}
          <QueryView query={result} subject="the result">
            {(data) => <PromResultView result={parsePromResult(data)} asked={asked} />}
          </QueryView>
        </>
      )}
    </>
  );
}

function Examples({ onChoose }: { readonly onChoose: (query: string) => void }) {
  return (
    <section className="examples" aria-label="Examples">
      <h3>Examples</h3>
      <ul>
        {examples.map(({ title, query }) => (
          <li key={query}>
            {title}{" "}
            <Button variant="link" isInline onClick={() => onChoose(query)}>
              <code>{query}</code>
            </Button>
          </li>
        ))}
      </ul>
      <p className="faint">
        Simulated clusters do not evaluate subqueries, <code>group_left</code>, <code>group_right</code> and{" "}
        <code>@</code>.
      </p>
    </section>
  );
}
