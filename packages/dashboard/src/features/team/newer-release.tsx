import { useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';

/** Tells owners that the service can be upgraded. */
export function NewerRelease() {
  const release = useApiQuery('manageWorkspace').data?.data.newer_release;
  if (!release) return null;
  return <Notice>Release {release} of this service is available. The person who runs it can upgrade.</Notice>;
}
