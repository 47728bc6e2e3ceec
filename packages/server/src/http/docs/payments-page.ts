import type { ProcessorName } from '@svc/contract';
import { outcomes } from '../../payments/outcomes.ts';
import { processors } from '../../payments/processors/processors.ts';
import { escapeHtml, page } from './page.ts';

const ONE_OFF = `const metadata = {
  svc_customer_key: String(user.id), // your own id for the user, the same as at signup
  svc_click_id: clickId, // the cookie svc_click_id; omit it if there is none
  program_id: '42', // your program
};
await stripe.checkout.sessions.create({ ...checkout, mode: 'payment', metadata });`;

const SUBSCRIPTION = `await stripe.checkout.sessions.create({
  ...checkout,
  mode: 'subscription',
  metadata,
  subscription_data: { metadata }, // again, so that renewals carry it too
});`;

const CUSTOM_DATA = `const customData = { svc_customer_key: String(user.id), svc_click_id: clickId, program_id: '42' };
const transaction = await paddle.transactions.create({ items, customData });`;

/** How to connect the payment processors to this installation, and what the outcomes of their events mean. */
export function paymentsPage(baseUrl: string): string {
  const rows = Object.entries(outcomes).map(
    ([code, sentence]) => `<tr><td><code>${code}</code></td><td>${escapeHtml(sentence)}</td></tr>`,
  );
  return page(
    'Payments from Stripe and Paddle',
    `<p>Connect a payment processor once, put three fields on each checkout, and payments, renewals, refunds and disputes
are recorded automatically. A program may be connected to both.</p>
<h2>Stripe</h2>
<p>Open Workbench, Webhooks, and add a destination with <strong>snapshot</strong> payloads.</p>
${connecting(baseUrl, 'stripe')}
<p>The metadata of a one-off payment:</p>
<pre>${escapeHtml(ONE_OFF)}</pre>
<p>And of a subscription:</p>
<pre>${escapeHtml(SUBSCRIPTION)}</pre>
<h2>Paddle</h2>
<p>Open Developer tools, Notifications, and add a destination of type webhook.</p>
${connecting(baseUrl, 'paddle')}
<p>The custom data of a checkout, which Paddle copies to its subscription:</p>
<pre>${escapeHtml(CUSTOM_DATA)}</pre>
<h2>Event outcomes</h2>
<p><code>GET /api/v1/manage/programs/&lt;program id&gt;/processor/events</code> lists the events with their outcomes.</p>
<table><thead><tr><th>Outcome</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
}

/** The address, the events and the secret of a processor. */
function connecting(baseUrl: string, provider: ProcessorName): string {
  const events = Object.entries(processors[provider].events).map(
    ([name, use]) => `<li><code>${name}</code>: ${escapeHtml(use)}</li>`,
  );
  return `<ol>
<li>Its address is <pre>${escapeHtml(baseUrl)}/api/v1/webhooks/${provider}/&lt;program id&gt;</pre></li>
<li>Select these events: <ul>${events.join('')}</ul></li>
<li>Enter its signing secret in the program’s Settings, Payments, or send it to
<code>PUT /api/v1/manage/programs/&lt;program id&gt;/processor</code> with <code>provider</code> and
<code>webhook_secret</code>${processors[provider].tellsTestMode ? '' : ' and <code>test_mode</code>'}.</li>
</ol>`;
}
