import { Link } from '@tanstack/react-router';
import { settings } from '../../api/settings.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { useNewApiKey } from './new-api-key.ts';

/** The API key of a program that was just created, or where to get a new one. */
export function ApiKeyStep({ programId }: { programId: number }) {
  const newKey = useNewApiKey(programId);
  return (
    <div className="space-y-3">
      {newKey ? (
        <>
          <Notice tone="warn">This is the only time the full key is shown. Store it with your server’s secrets.</Notice>
          <CodeBlock label="Copy API key" text={`SVC_API_KEY=${newKey}\nSVC_PROGRAM_ID=${programId}`} />
        </>
      ) : (
        <p className="text-sm text-quiet">
          The key was shown when the program was created. If you lost it, an owner can{' '}
          <Link
            to="/app/programs/$programId/settings"
            params={{ programId }}
            search={{ tab: 'key' }}
            className="text-accent underline"
          >
            regenerate it
          </Link>
          .
        </p>
      )}
      <p className="text-sm text-quiet">
        Your server sends it with signups and payments. It must never reach a browser. Everything else is in the{' '}
        <a href={`${settings.base_url}/docs`} className="text-accent underline">
          API reference
        </a>
        .
      </p>
    </div>
  );
}
