import type { CustomKinds } from "@keelson/portal-api";
import { Button, TextInput } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { type ClusterRef, resourcePath } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { CopyButton } from "../display/copy-field.tsx";
import { DataTable } from "../display/data-table.tsx";
import { FilterField, matchesWords } from "../display/filter-field.tsx";
import { QueryView } from "../display/query-view.tsx";
import { TextBox } from "../display/text-box.tsx";
import type { TabProps } from "../navigation/tab-props.ts";
import { type ObjectAddress, objectSearch, readObjectAddress } from "./object-address.ts";
import { yamlText } from "./yaml-text.ts";

/** Kinds that people read most often. */
const usualKinds = [
  "Pod",
  "Node",
  "Deployment.apps",
  "DaemonSet.apps",
  "ConfigMap",
  "Service",
  "Job.batch",
  "ClusterOperator.config.openshift.io",
  "ClusterVersion.config.openshift.io",
  "Machine.machine.openshift.io",
  "MachineConfigPool.machineconfiguration.openshift.io",
  "Cluster.aro.openshift.io",
];

/** Page with the cluster's objects of one kind. If the URL names an object, the page shows this object as YAML. */
export default function ResourcesTab({ cluster }: TabProps) {
  const [search, setSearch] = useSearchParams();
  const address = readObjectAddress(search);
  return (
    <>
      <KindForm
        key={`${address.kind} ${address.namespace}`}
        cluster={cluster}
        address={address}
        onChange={(next) => setSearch(objectSearch(next))}
      />
      {address.kind === "" ? (
        <p className="faint">
          Choose a kind. Secrets are not shown. Without elevation only platform namespaces are.
        </p>
      ) : address.name === "" ? (
        <Objects cluster={cluster} address={address} />
      ) : (
        <ObjectText cluster={cluster} address={address} />
      )}
    </>
  );
}

interface AddressProps {
  readonly cluster: ClusterRef;
  readonly address: ObjectAddress;
}

function KindForm(props: AddressProps & { readonly onChange: (address: ObjectAddress) => void }) {
  const { cluster, address, onChange } = props;
  const [kind, setKind] = useState(address.kind);
  const [namespace, setNamespace] = useState(address.namespace);
  const custom = useQuery(queries.customKinds(cluster));
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ kind: kind.trim(), namespace: namespace.trim(), name: "" });
  };
  return (
    <form className="toolbar" onSubmit={submit}>
      <TextInput
        aria-label="Kind"
        placeholder="Kind, for example Pod"
        list={id}
        className="filter"
        value={kind}
        onChange={(_, value) => setKind(value)}
      />
      <datalist id={id}>
        {kindNames(custom.data).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextInput
        aria-label="Namespace"
        placeholder="Namespace, empty for all"
        className="filter"
        value={namespace}
        onChange={(_, value) => setNamespace(value)}
      />
      <Button type="submit" isDisabled={kind.trim() === ""}>
        Show
      </Button>
    </form>
  );
}

function kindNames(custom: CustomKinds | undefined): readonly string[] {
  const names = custom?.kinds.map(({ kind, group }) => `${kind}.${group}`) ?? [];
  return [...new Set([...usualKinds, ...names])];
}

function Objects({ cluster, address }: AddressProps) {
  const objects = useQuery(queries.objects(cluster, address));
  const [filter, setFilter] = useState("");
  return (
    <QueryView query={objects} subject={address.kind}>
      {({ objects: all, total, kind }) => (
        <>
          <FilterField label="Filter objects" value={filter} onChange={setFilter} />
          {total > all.length && (
            <p className="faint">
              {all.length} of {total} objects are shown. Name a namespace for fewer.
            </p>
          )}
          <DataTable
            label={`Objects of the kind ${kind}`}
            rows={all.filter(({ name, namespace }) => matchesWords(filter, `${namespace} ${name}`))}
            keyOf={({ namespace, name }) => `${namespace}/${name}`}
            initialOrder={{ column: "Name", descending: false }}
            empty="No visible object of the kind has these words."
            columns={[
              {
                title: "Name",
                sortBy: ({ name }) => name,
                breaks: true,
                cell: ({ name, namespace }) => (
                  <Link
                    href={`${resourcePath(cluster)}/resources?${objectSearch({ kind: address.kind, namespace, name })}`}
                  >
                    {name}
                  </Link>
                ),
              },
              { title: "Namespace", sortBy: ({ namespace }) => namespace, breaks: true },
              { title: "Created", sortBy: ({ createdAt }) => createdAt, isTime: true },
            ]}
          />
        </>
      )}
    </QueryView>
  );
}

function ObjectText({ cluster, address }: AddressProps) {
  const object = useQuery(queries.object(cluster, address));
  const { kind, namespace, name } = address;
  return (
    <>
      <p>
        <Link href={`${resourcePath(cluster)}/resources?${objectSearch({ kind, namespace, name: "" })}`}>
          All objects of the kind
        </Link>
      </p>
      <h3>
        {kind} {namespace && `${namespace}/`}
        {name}
      </h3>
      <QueryView query={object} subject={name}>
        {(data) => <Yaml text={yamlText(data.object)} />}
      </QueryView>
    </>
  );
}

function Yaml({ text }: { readonly text: string }) {
  return (
    <>
      <CopyButton label="Copy YAML" value={text} />
      <TextBox label="YAML" text={text} />
    </>
  );
}
