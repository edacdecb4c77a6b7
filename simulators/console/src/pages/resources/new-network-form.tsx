import { Button } from "@patternfly/react-core";
import { type FormEvent, useState } from "react";
import type { GroupView } from "../../api/resources.ts";
import { Field } from "../display/field.tsx";
import { Failure } from "../display/query-view.tsx";
import { Select } from "../display/select.tsx";
import { useChange } from "../requests/use-change.ts";

/** Form that creates a virtual network with one subnet. */
export function NewNetworkForm({ groups }: { readonly groups: readonly GroupView[] }) {
  const create = useChange("resources");
  const [group, setGroup] = useState("");
  const [name, setName] = useState("");
  const [addressPrefix, setAddressPrefix] = useState("10.128.0.0/16");
  const [subnet, setSubnet] = useState("default");
  const [subnetPrefix, setSubnetPrefix] = useState("10.128.0.0/24");
  const selected = group || (groups[0]?.name ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const subnets = subnet === "" ? [] : [{ name: subnet, addressPrefix: subnetPrefix }];
    const body = { group: selected, name, addressPrefix, subnets };
    create.mutate({ method: "POST", path: "/api/virtual-networks", body }, { onSuccess: () => setName("") });
  };
  return (
    <form className="row" onSubmit={submit}>
      <Field label="New virtual network" value={name} onChange={setName} />
      <Select
        label="Group"
        value={selected}
        onChange={setGroup}
        options={Object.fromEntries(groups.map((each) => [each.name, each.name]))}
      />
      <Field label="Address space" value={addressPrefix} onChange={setAddressPrefix} />
      <Field label="Subnet" value={subnet} onChange={setSubnet} />
      <Field label="Subnet addresses" value={subnetPrefix} onChange={setSubnetPrefix} />
      <Button type="submit" isDisabled={name === "" || selected === "" || create.isPending}>
        Create network
      </Button>
      {create.error && <Failure error={create.error} title="Cannot create the network" />}
    </form>
  );
}
