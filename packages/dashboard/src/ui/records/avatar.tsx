import { AVATAR_COLORS, colorOf, initialsOf } from '../../rules/avatar.ts';

const SIZES = { small: 'size-6 text-[0.625rem]', medium: 'size-8 text-xs', large: 'size-14 text-lg' };

type AvatarProps = { name: string; size?: keyof typeof SIZES };

/** The initials of a person on a color that is always the same for their name. The name itself is beside it. */
export function Avatar({ name, size = 'small' }: AvatarProps) {
  return (
    <span
      aria-hidden
      data-avatar={size}
      className={`inline-grid shrink-0 place-items-center rounded-full font-semibold forced-colors:border ${SIZES[size]} ${AVATAR_COLORS[colorOf(name)]}`}
    >
      {initialsOf(name)}
    </span>
  );
}

/** A person’s avatar and name. Where there is room for a table they stay on one line, and a long name is cut off. */
export function NameWithAvatar({ name }: { name: string }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-2 align-middle">
      <Avatar name={name} />
      <span title={name} className="min-w-0 break-words md:max-w-44 md:truncate">
        {name}
      </span>
    </span>
  );
}
