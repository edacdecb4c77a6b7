import { Button, TextInput } from "@patternfly/react-core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { queries } from "../api/queries.ts";
import { send } from "../api/request.ts";
import { Failure, QueryView } from "../display/query-view.tsx";
import { SessionsTable } from "./sessions-table.tsx";

/**
 * Page with the open sessions of the signed-in person. A person with an elevation can also see the sessions of other people and
 * sign them out.
 */
export default function SessionsPage() {
  const { data: info } = useQuery(queries.info);
  const [search, setSearch] = useSearchParams();
  const person = search.get("username") ?? "";
  const query = queries.personSessions(person);
  return (
    <main id="main" className="page" tabIndex={-1}>
      <Link href="/" className="back">
        ‹ All clusters
      </Link>
      <div className="title-row">
        <h1>{person === "" ? "My sessions" : `Sessions of ${person}`}</h1>
        {info?.elevated && person !== "" && <EndSignIns person={person} csrf={info.csrf} />}
      </div>
      {info?.elevated && (
        <PersonForm
          key={person}
          person={person}
          onChoose={(username) => setSearch(username ? { username } : {})}
        />
      )}
      <QueryView query={useQuery(query)} subject="sessions">
        {({ sessions }) => (
          <SessionsTable
            showsClusters
            sessions={sessions}
            queryKey={query.queryKey}
            empty={person === "" ? "You have no open session." : "The person has no open session."}
          />
        )}
      </QueryView>
    </main>
  );
}

interface PersonFormProps {
  readonly person: string;
  readonly onChoose: (username: string) => void;
}

function PersonForm({ person, onChoose }: PersonFormProps) {
  const [username, setUsername] = useState(person);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChoose(username.trim());
  };
  return (
    <form className="toolbar" onSubmit={submit}>
      <TextInput
        className="filter"
        aria-label="User name"
        placeholder="User name of another person"
        value={username}
        onChange={(_, value) => setUsername(value)}
      />
      <Button type="submit" variant="secondary">
        Show sessions
      </Button>
    </form>
  );
}

function EndSignIns({ person, csrf }: { readonly person: string; readonly csrf: string }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => send("/api/sign-outs", { method: "POST", body: { username: person }, csrf }),
    onSettled: () => client.invalidateQueries({ queryKey: queries.personSessions(person).queryKey }),
  });
  return (
    <div className="title-actions">
      <Button variant="danger" isLoading={end.isPending} onClick={() => end.mutate()}>
        End all sign-ins
      </Button>
      {end.error && <Failure error={end.error} title="Cannot end the sign-ins" retry={() => end.mutate()} />}
    </div>
  );
}
