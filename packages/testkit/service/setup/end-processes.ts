import { afterAll } from 'vitest';
import { cleanUp } from '../processes/processes.ts';

// In a setup file, because workers keep their modules: a hook of a module would run after the first file only.
afterAll(cleanUp);
