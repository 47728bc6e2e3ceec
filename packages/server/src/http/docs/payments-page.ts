import { checkoutGuides, type ProcessorName, type Snippet } from '@svc/contract';
import { escapeHtml } from '../../html.ts';
import { outcomes } from '../../payments/events/outcomes.ts';
import { processors } from '../../payments/processors/processors.ts';

/** The program of the examples. The dashboard shows them with the program's own id. */
const EXAMPLE_PROGRAM = 42;

/** How to connect the payment processors to this installation, and what the outcomes of their events mean. */
export function paymentsPage(baseUrl: string): { title: string; body: string } {
  const rows = Object.entries(outcomes).map(
    ([code, sentence]) => `<tr><td><code>${code}</code></td><td>${escapeHtml(sentence)}</td></tr>`,
  );
  return {
    title: 'Payments from payment processors',
    body: `<p>Connect a payment processor once, put three fields on each checkout, and payments, renewals, refunds and disputes
are recorded automatically. A program may be connected to several. In the code, the program is ${EXAMPLE_PROGRAM}; the
program’s Settings, Payments shows the same steps with its own id, and what has arrived.</p>
<h2>Stripe</h2>
<p>Open Workbench, Webhooks, and choose Add destination. Choose events from your account, <strong>snapshot</strong> payloads,
and a webhook endpoint as the destination.</p>
${connecting(baseUrl, 'stripe')}
${checkouts(baseUrl, 'stripe')}
<h2>Paddle</h2>
<p>Open Developer tools, Notifications, and add a destination of type webhook.</p>
${connecting(baseUrl, 'paddle')}
<p>Paddle copies the custom data of a checkout to its subscription.</p>
${checkouts(baseUrl, 'paddle')}
<h2>Polar</h2>
<p>Open your organization’s Settings, Webhooks, and add an endpoint with the format Raw.</p>
${connecting(baseUrl, 'polar')}
<p>Polar copies the metadata of a checkout to its order, its subscription and the renewals.</p>
${checkouts(baseUrl, 'polar')}
<h2>Lemon Squeezy</h2>
<p>Open Settings, Webhooks, and add a webhook with a signing secret that you make up.</p>
${connecting(baseUrl, 'lemonsqueezy')}
${checkouts(baseUrl, 'lemonsqueezy')}
<h2>Any other payment processor</h2>
<p>Your server signs and sends what happened, as <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>
describes it. The secret is <code>whsec_</code> and at least 24 random bytes in base64. The fields are in the
<a href="/docs">API reference</a>.</p>
${connecting(baseUrl, 'custom')}
${checkouts(baseUrl, 'custom')}
<h2>Event outcomes</h2>
<p><code>GET /api/v1/manage/programs/&lt;program id&gt;/processor/events</code> lists the events with their outcomes.</p>
<table><thead><tr><th>Outcome</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  };
}

/** The address, the events and the secret of a processor. */
function connecting(baseUrl: string, provider: ProcessorName): string {
  const events = Object.entries(processors[provider].events).map(
    ([name, use]) => `<li><code>${name}</code>: ${escapeHtml(use)}</li>`,
  );
  return `<ol>
<li>Its address is <pre tabindex="0">${escapeHtml(baseUrl)}/api/v1/webhooks/${provider}/&lt;program id&gt;</pre></li>
<li>${provider === 'custom' ? 'Send' : 'Select'} these events: <ul>${events.join('')}</ul></li>
<li>Enter its signing secret in the program’s Settings, Payments, or send it to
<code>PUT /api/v1/manage/programs/&lt;program id&gt;/processor</code> with <code>provider</code> and
<code>webhook_secret</code>${processors[provider].tellsTestMode ? '' : ' and <code>test_mode</code>'}.</li>
</ol>`;
}

/** The code of every kind of checkout, after the files that it imports. */
function checkouts(baseUrl: string, provider: ProcessorName): string {
  const { shared, ways } = checkoutGuides[provider](EXAMPLE_PROGRAM, baseUrl);
  const sections = ways.map(
    ({ title, about, snippets }) => `<h3>${escapeHtml(title)}</h3>
<p>${escapeHtml(about)}</p>
${snippets.map((snippet) => `<h4>${escapeHtml(snippet.framework)}</h4>\n${code(snippet)}`).join('\n')}`,
  );
  return `<h3>Files that the code below imports</h3>
${shared.map(code).join('\n')}
${sections.join('\n')}`;
}

function code(snippet: Snippet): string {
  return `<pre tabindex="0">${escapeHtml(snippet.code.trimEnd())}</pre>`;
}
