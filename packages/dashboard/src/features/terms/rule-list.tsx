import { describeSettings } from '@svc/contract';
import { Link } from '@tanstack/react-router';
import type { Row } from '../../api/client.ts';
import { capitalize } from '../../rules/label.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';

export type Version = Row<'manageTerms'>;

/** The rules of a version in words, in the order in which they are tried; the commission settings come last. */
export function RuleList({ version }: { version: Version }) {
  return (
    <div className="space-y-3">
      <TermsWarnings warnings={version.warnings} />
      <Rules version={version} />
    </div>
  );
}

/** What a brand should know about its rules before it publishes them, and afterwards. */
export function TermsWarnings({ warnings }: { warnings: string[] }) {
  return warnings.map((warning) => (
    <Notice key={warning} tone="warn">
      {warning}
    </Notice>
  ));
}

function Rules({ version }: { version: Version }) {
  return (
    <ol className="divide-y divide-line rounded-lg border border-line text-sm">
      {version.rules.map(({ description }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its position in the version
        <li key={index} className="flex gap-3 px-4 py-2.5">
          <span className="w-5 shrink-0 text-right text-quiet tabular-nums">{index + 1}</span>
          <span className="min-w-0 break-words">{capitalize(description)}</span>
        </li>
      ))}
      <li className="flex gap-3 px-4 py-2.5">
        <span className="w-5 shrink-0 text-right text-quiet tabular-nums">{version.rules.length + 1}</span>
        <span className="min-w-0 break-words">
          {version.rules.length > 0 && 'Everything else: '}
          {describeSettings(version)}
        </span>
      </li>
    </ol>
  );
}

/** Where the last rule, which every program has, is changed. */
export function CommissionSettingsLink() {
  return (
    <Link
      to="/app/programs/$programId/settings"
      params={{ programId: useProgramId() }}
      search={{ tab: 'commission' }}
      className="text-accent underline"
    >
      commission settings
    </Link>
  );
}
