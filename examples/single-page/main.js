import { init } from '@svc/tracker';

init({ programId: 42, apiBase: 'https://track.example.com' });
