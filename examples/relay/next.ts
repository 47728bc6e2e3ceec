// Next.js: app/x7f3a9c2/[...svc]/route.ts
import { nextRelay } from '@svc/node/relay';

// The header in which your host or proxy puts the visitor's address. Vercel's is known.
export const { GET, POST } = nextRelay({ addressHeader: 'x-real-ip' });
