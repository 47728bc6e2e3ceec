import { Mail } from 'lucide-react';
import type { Data } from '../../api/client.ts';

type Membership = Data<'manageMe'>['partner_of'][number];

/** How to reach the brand, if it says so. */
export function Contact({ membership }: { membership: Membership | undefined }) {
  const { contact_email: email, contact_url: url, name } = membership ?? {};
  if (!email && !url) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-quiet">
      <Mail size={16} aria-hidden /> Questions for {name}?
      {email && (
        <a href={`mailto:${email}`} className="text-accent underline">
          {email}
        </a>
      )}
      {url && (
        <a href={url} target="_blank" rel="noreferrer" className="text-accent underline">
          Contact page
        </a>
      )}
    </p>
  );
}
