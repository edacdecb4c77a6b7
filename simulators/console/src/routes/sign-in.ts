import { clearCookie, cookieIn, cookieName, setCookie } from "../access/cookies.ts";
import type { OneTimeLinks } from "../access/one-time-links.ts";
import type { Sessions } from "../access/sessions.ts";
import type { Info, NewLink } from "../api/info.ts";
import { consoleErrors } from "../http/errors.ts";
import { type Route, route } from "../http/route.ts";
import type { WorldFacts } from "../world/world.ts";

export interface SignInDeps {
  readonly links: OneTimeLinks;
  readonly sessions: Sessions;
  readonly port: number;
  readonly facts: WorldFacts;
}

/** Routes for one-time links, sign-in, sign-out and session information. */
export function signInRoutes({ links, sessions, port, facts }: SignInDeps): readonly Route[] {
  const cookie = cookieName(port);
  return [
    {
      method: "POST",
      path: "/api/links",
      access: "control",
      handle() {
        const { token, expires } = links.create();
        // Browsers do not send the URL fragment. The token therefore appears in no log and no Referer header.
        const link: NewLink = {
          url: `https://localhost:${port}/open#${token}`,
          expires: expires.toISOString(),
        };
        return { status: 201, json: link };
      },
    },
    {
      method: "POST",
      path: "/api/sign-in",
      access: "page",
      async handle({ json }) {
        const { token } = await json();
        if (typeof token !== "string" || !links.redeem(token))
          throw consoleErrors.Unauthenticated(
            "The link was used before or has expired. Run ./keelson sim console in a terminal. It prints a new one.",
          );
        const { id } = sessions.open();
        return { status: 204, headers: { "set-cookie": setCookie(cookie, id) } };
      },
    },
    route("POST", "/api/sign-out", ({ header }) => {
      sessions.close(cookieIn(header("cookie"), cookie) ?? "");
      return { status: 204, headers: { "set-cookie": clearCookie(cookie) } };
    }),
    route("GET", "/api/info", ({ session }) => {
      const { csrf, expires } = session();
      const info: Info = { csrf, expires: expires.toISOString(), ...facts };
      return { status: 200, json: info };
    }),
  ];
}
