import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import { likelyAddress } from '../../rules/site-address.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import type { Program } from './refused-events.tsx';

type TestLinkProps = {
  program: Program;
  /** Where the latest click came from, if there was one. */
  clickOrigin: string | undefined;
};

/** The link that starts a test visit, on whichever address the site runs at the moment. */
export function TestLink({ program, clickOrigin }: TestLinkProps) {
  const [site, setSite] = useRememberedSite(program.id);
  const link = useApiQuery('manageTestLink', { params: { program_id: program.id } });
  const address = site ?? likelyAddress({ ...program, clickOrigin });
  return (
    <QueryState query={link} lines={2}>
      {({ data: { short_link: shortLink } }) => {
        const url = testUrl(address, shortLink);
        return (
          <div className="space-y-3">
            <div className="max-w-md">
              <TextField
                label="Where your site runs now"
                value={address}
                onChange={(event) => setSite(event.target.value)}
                list="site-addresses"
                hint="For example http://localhost:3000 while you develop."
              />
              <datalist id="site-addresses">
                {[`https://${program.domain}`, ...program.allowed_origins].map((origin) => (
                  <option key={origin} value={origin} />
                ))}
              </datalist>
            </div>
            {url === null ? (
              <p className="text-sm text-quiet">Enter an address that starts with http:// or https://.</p>
            ) : (
              <>
                <CodeBlock text={url} label="Copy the test link" />
                <a href={url} target="_blank" rel="noreferrer" className={buttonClass()}>
                  <ExternalLink size={15} aria-hidden /> Open your site
                </a>
              </>
            )}
            <p className="text-sm text-quiet">
              Visitors of this link are test customers. What they do on your site is checked like the real thing, and
              counts nowhere. Use a private window to test again as a new visitor.
            </p>
          </div>
        );
      }}
    </QueryState>
  );
}

/** The address that was typed. Kept in this browser: another person's copy of the site runs elsewhere. */
function useRememberedSite(programId: number): [string | null, (site: string) => void] {
  const key = `svc-site-${programId}`;
  const [site, setSite] = useState(() => localStorage.getItem(key));
  return [
    site,
    (typed) => {
      if (testUrl(typed, '') === null) localStorage.removeItem(key);
      else localStorage.setItem(key, typed);
      setSite(typed);
    },
  ];
}

function testUrl(address: string, shortLink: string): string | null {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  url.searchParams.set('aff', shortLink);
  return url.href;
}
