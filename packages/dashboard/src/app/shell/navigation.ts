import type { LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { RouteName } from '../../api/client.ts';

/** A page of a program: its path has no other parameter. */
type ProgramPath = Extract<LinkProps['to'], `/app/${'programs' | 'portal'}/$programId/${string}`>;
/** A page that belongs to no program. */
type OwnPath = Extract<LinkProps['to'], '/app/programs' | `/app/account${string}`>;
type NavItem = {
  to: ProgramPath | OwnPath;
  title: string;
  icon: LucideIcon;
  /** What the page reads, if not everyone in the workspace may. */
  route?: RouteName;
  /** What waits there. */
  Count?: ComponentType<{ programId: number }>;
};

/** Pages that belong together in the menu. */
export type NavGroup = { title?: string; items: NavItem[] };
