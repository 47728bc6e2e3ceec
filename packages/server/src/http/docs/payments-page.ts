import { STRIPE_EVENTS } from '@svc/contract';
import { outcomes } from '../../payments/outcomes.ts';
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

/** How to connect Stripe to this installation, and what the outcomes of its events mean. */
export function paymentsPage(baseUrl: string): string {
  const events = STRIPE_EVENTS.map((name) => `<li><code>${name}</code></li>`);
  const rows = Object.entries(outcomes).map(
    ([code, sentence]) => `<tr><td><code>${code}</code></td><td>${escapeHtml(sentence)}</td></tr>`,
  );
  return page(
    'Payments from Stripe',
    `<p>Connect Stripe once, put the metadata on each checkout, and payments, renewals, refunds and disputes are
recorded automatically.</p>
<h2>Connect</h2>
<ol>
<li>In Stripe, under Developers, Webhooks, add the endpoint
<pre>${escapeHtml(baseUrl)}/api/v1/webhooks/stripe/&lt;program id&gt;</pre> with these events:
<ul>${events.join('')}</ul>
Refunds and disputes of subscriptions need <code>invoice_payment.paid</code>.</li>
<li>Enter its signing secret in the program’s Settings, Payments, or send it to
<code>PUT /api/v1/manage/programs/&lt;program id&gt;/processor</code> with <code>provider</code> and
<code>webhook_secret</code>.</li>
</ol>
<h2>Metadata</h2>
<p>A one-off payment:</p>
<pre>${escapeHtml(ONE_OFF)}</pre>
<p>A subscription:</p>
<pre>${escapeHtml(SUBSCRIPTION)}</pre>
<h2>Event outcomes</h2>
<p><code>GET /api/v1/manage/programs/&lt;program id&gt;/processor/events</code> lists the events with their outcomes.</p>
<table><thead><tr><th>Outcome</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
}
