import type { LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';

/** A page of a program: its path has no other parameter. */
type ProgramPath = Extract<LinkProps['to'], `/app/${'programs' | 'portal'}/$programId/${string}`>;
type NavItem = { to: ProgramPath; title: string; icon: LucideIcon };

/** Pages that belong together in the menu. */
export type NavGroup = { title?: string; items: NavItem[] };
