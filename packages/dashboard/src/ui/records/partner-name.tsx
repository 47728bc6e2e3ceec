/** The partner a row is attributed to, if any. */
export function PartnerName({ name }: { name: string | null }) {
  return name ?? <span className="text-quiet">Unattributed</span>;
}
