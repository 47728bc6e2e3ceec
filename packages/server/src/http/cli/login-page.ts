import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { describeLogin, type LoginPage } from '../../accounts/cli-login.ts';
import { escapeHtml } from '../docs/page.ts';
import type { ServiceContext } from '../service-context.ts';

const asset = (name: string) => readFileSync(new URL(`../../../assets/${name}`, import.meta.url), 'utf8');

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** The page behind `auth_url`: shows the code of the terminal, signs the person in, and says to go back. */
export function addLoginPage(app: FastifyInstance, ctx: ServiceContext): void {
  const script = asset('cli-login.js');
  const style = asset('cli-login.css');
  app.get('/cli/login.js', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
  app.get('/cli/login.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  app.get('/cli/login', async (request, reply) => {
    const { state } = request.query as { state?: unknown };
    const login: LoginPage =
      typeof state === 'string' && state.length <= 255
        ? await describeLogin(ctx, state)
        : { status: 'unknown', userCode: null };
    return reply
      .code(login.status === 'open' ? 200 : 410)
      .headers(HEADERS)
      .type('text/html; charset=utf-8')
      .send(page(login, ctx.signup === 'open'));
  });
}

const CLOSED: Record<Exclude<LoginPage['status'], 'open'>, [string, string]> = {
  expired: ['This sign-in has expired', 'It is open for five minutes. Run the command in your terminal again.'],
  used: [
    'This sign-in was used already',
    'You can go back to your terminal. If it still waits, run the command again.',
  ],
  unknown: ['This sign-in is not known', 'The address may be cut off. Run the command in your terminal again.'],
};

function page({ status, userCode }: LoginPage, canSignUp: boolean): string {
  const body = status === 'open' ? openPage(userCode ?? '', canSignUp) : closedPage(...CLOSED[status]);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in to the command line</title>
<link rel="stylesheet" href="/cli/login.css">
</head>
<body>
<main>${body}</main>
<script src="/cli/login.js" type="module"></script>
</body>
</html>
`;
}

function closedPage(title: string, words: string): string {
  return `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(words)}</p>`;
}

function openPage(userCode: string, canSignUp: boolean): string {
  const code = `<p>Your terminal shows this code. If it does not, close this page.</p><div class="code">${escapeHtml(userCode)}</div>`;
  return `
<section data-part="sign-in">
  <h1 tabindex="-1">Sign in to the command line</h1>${code}
  <form>
    <label id="name-field" hidden>Name<input name="name" autocomplete="name"></label>
    <label>E-mail<input name="email" type="email" autocomplete="username" required></label>
    <label>Password<input name="password" type="password" autocomplete="current-password" minlength="8" required></label>
    <p role="alert"></p>
    <button type="submit">Sign in and continue</button>
    ${canSignUp ? '<button type="button" class="switch">Create an account</button>' : ''}
  </form>
</section>
<section data-part="confirm" hidden>
  <h1 tabindex="-1">Connect your terminal?</h1>${code}
  <p>You are signed in as <strong id="who"></strong>.</p>
  <p role="alert"></p>
  <button type="button" id="confirm">Connect</button>
  <button type="button" id="other" class="switch">Use another account</button>
</section>
<section data-part="done" hidden>
  <h1 tabindex="-1">You are signed in</h1>
  <p>Go back to your terminal. You can close this page.</p>
</section>`;
}
