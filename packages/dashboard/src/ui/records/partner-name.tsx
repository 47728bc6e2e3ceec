import { NameWithAvatar } from './avatar.tsx';

/** The partner a row is attributed to, if any. */
export function PartnerName({ name }: { name: string | null }) {
  return name === null ? <span className="text-quiet">Unattributed</span> : <NameWithAvatar name={name} />;
}
