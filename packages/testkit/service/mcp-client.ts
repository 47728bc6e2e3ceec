import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { OWN_ORIGIN } from './accounts.ts';
import type { TestService } from './service.ts';

/** Requests of the official client, handed to the service without a network. */
export const fetchFrom =
  (service: TestService) =>
  async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const body = init.body === undefined || init.body === null ? undefined : String(init.body);
    const headers = Object.fromEntries(new Headers(init.headers));
    const answer = await service.call(init.method ?? 'GET', pathname + search, { body, headers });
    const answered = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const isEmpty = [202, 204].includes(answer.status);
    return new Response(isEmpty ? null : answer.text, { status: answer.status, headers: answered });
  };

type Caller = { token?: string; authProvider?: OAuthClientProvider };

function mcpTransport(service: TestService, { token, authProvider }: Caller) {
  return new StreamableHTTPClientTransport(new URL(`${OWN_ORIGIN}/mcp`), {
    fetch: fetchFrom(service),
    ...(authProvider && { authProvider }),
    ...(token && { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
  });
}

export type Outcome = {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at results of many shapes
  result: any;
};

/** The official client, connected with an account token. */
export async function mcpClient(service: TestService, caller: Caller) {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  // The types of the SDK and `exactOptionalPropertyTypes` disagree about optional fields.
  await client.connect(mcpTransport(service, caller) as never);
  const run = async (name: string, args: object): Promise<Outcome> => {
    const answer = await client.callTool({ name, arguments: args as Record<string, unknown> });
    const [content] = answer.content as { text: string }[];
    const { result } = (answer.structuredContent ?? {}) as { result?: unknown };
    return { isError: answer.isError === true, text: content?.text ?? '', result };
  };
  /** Lets the tool plan, and carries the plan out. */
  const carryOut = async (name: string, args: object): Promise<Outcome> => {
    const planned = await run(name, args);
    return planned.isError ? planned : run(name, { ...args, plan_token: planned.result.plan_token });
  };
  return { client, run, carryOut };
}
