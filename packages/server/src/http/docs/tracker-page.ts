import { escapeHtml } from '../../html.ts';
import type { TrackerAddresses } from '../assets/package-addresses.ts';

/** How to add this installation's tracker to a website, ready to copy. */
export function trackerPage(tracker: TrackerAddresses): { title: string; body: string } {
  const pinned = `<script async src="${tracker.immutable_url}" crossorigin="anonymous"
  integrity="${tracker.integrity}"
  data-svc-program-id="PROGRAM_ID"></script>`;
  const stripe = tracker.script_tag.replace(tracker.url, tracker.stripe_url);
  return {
    title: 'Browser tracker',
    body: `<p>It reports a click when a visitor arrives with <code>?aff=…</code>, keeps the click id in the first-party cookie
<code>svc_click_id</code>, and reports signups. Version ${escapeHtml(tracker.version)}.</p>
<h2>Script tag</h2>
<pre tabindex="0">${escapeHtml(tracker.script_tag)}</pre>
<p>The same script, pinned to its content: the address never changes what it serves, and the browser checks it.</p>
<pre tabindex="0">${escapeHtml(pinned)}</pre>
<h2>Signups</h2>
<p>After a signup, name the new user by your own id. The email address is optional.</p>
<pre tabindex="0">svc.signup('user_1', 'ann@example.com');</pre>
<p>More about it, and how to call it before the tracker has loaded, is in <a href="/docs/guide/tracker">the guide</a>.</p>
<h2>Package</h2>
<pre tabindex="0">npm i ${escapeHtml(tracker.package_immutable_url)}</pre>
<p>This address serves the same bytes for good, so lockfiles stay valid after an upgrade of the service. Addresses and integrity hashes
for tools: <a href="/js/svc-tracker.json">/js/svc-tracker.json</a> and <a href="/packages.json">/packages.json</a>.</p>
<h2>Stripe’s payment links, buy buttons and pricing tables</h2>
<p>This variant also passes the click on to them:</p>
<pre tabindex="0">${escapeHtml(stripe)}</pre>`,
  };
}
