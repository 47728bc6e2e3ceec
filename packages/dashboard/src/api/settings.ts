export type CliLogin = { status: 'open' | 'expired' | 'used' | 'unknown'; user_code: string | null };

type Settings = { base_url: string; signup: 'open' | 'closed'; cli_login?: CliLogin };

/** What the service wrote into the page: its public address, whether people may sign up, and the terminal that waits. */
export const settings: Settings = { base_url: location.origin, signup: 'open', ...written() };

function written(): Partial<Settings> {
  return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="svc-settings"]')?.content ?? '{}');
}
