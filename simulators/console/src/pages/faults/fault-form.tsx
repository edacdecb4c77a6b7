import { Button } from "@patternfly/react-core";
import { type FormEvent, useState } from "react";
import type { FaultKindView } from "../../api/faults.ts";
import { Field } from "../display/field.tsx";
import { Failure } from "../display/query-view.tsx";
import { Select } from "../display/select.tsx";
import { useChange } from "../requests/use-change.ts";

interface FaultFormProps {
  readonly kinds: readonly FaultKindView[];
  readonly clusters: readonly string[];
}

const allClusters = "*";

/** Form with the parameters of the selected fault kind. */
export function FaultForm({ kinds, clusters }: FaultFormProps) {
  const inject = useChange("faults");
  const [kind, setKind] = useState(kinds[0]?.kind ?? "");
  const [cluster, setCluster] = useState(allClusters);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const selected = kinds.find((each) => each.kind === kind);
  if (!selected) return null;
  const given = selected.parameters.flatMap(({ name }) => {
    const value = values[name]?.trim() ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
  const isComplete = selected.parameters.every(
    ({ name, required }) => !required || given.some(([each]) => each === name),
  );
  // Required parameters come first, because a form can have many optional ones.
  const parameters = selected.parameters.toSorted((a, b) => Number(b.required) - Number(a.required));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const target = selected.part === "clusters" && cluster !== allClusters ? { cluster } : {};
    const body = { kind, parameters: Object.fromEntries(given), ...target };
    inject.mutate({ method: "POST", path: "/api/faults", body }, { onSuccess: () => setValues({}) });
  };
  const title = ({ kind: name, part }: FaultKindView) =>
    `${part === "azure" ? "Azure" : "Clusters"}: ${name}`;
  return (
    <form className="panel" onSubmit={submit}>
      <div className="row">
        <Select
          label="Kind"
          value={kind}
          onChange={setKind}
          options={Object.fromEntries(kinds.map((each) => [each.kind, title(each)]))}
        />
        {selected.part === "clusters" && (
          <Select
            label="Cluster"
            value={cluster}
            onChange={setCluster}
            options={{ [allClusters]: "all", ...Object.fromEntries(clusters.map((name) => [name, name])) }}
          />
        )}
      </div>
      <p>{selected.description}</p>
      <div className="fields">
        {parameters.map(({ name, description, required }) => (
          <Field
            key={name}
            label={name}
            hint={description}
            isRequired={required}
            value={values[name] ?? ""}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
      </div>
      {!isComplete && <p className="hint">Fill in the fields with an asterisk.</p>}
      {inject.error && <Failure error={inject.error} title="Cannot inject the fault" />}
      <Button type="submit" isDisabled={!isComplete || inject.isPending}>
        Inject
      </Button>
    </form>
  );
}
