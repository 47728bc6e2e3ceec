import type { Data } from '../../api/client.ts';
import { settings } from '../../api/settings.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SendLink } from '../../ui/records/send-link.tsx';

/** Says what users miss until they confirm their address, with a button that sends a new link. */
export function UnconfirmedAddress({ user }: { user: Data<'manageMe'>['user'] | undefined }) {
  if (!settings.mail || !user || user.email_verified) return null;
  return (
    <div className="mb-6">
      <Notice tone="warn">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="min-w-0 flex-1 basis-64">
            Confirm {user.email}. Until then we don’t email you about applications, sales or payouts.
          </p>
          <SendLink />
        </div>
      </Notice>
    </div>
  );
}
