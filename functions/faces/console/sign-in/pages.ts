import { applicationPages } from './applications.ts';
import { connectionPages } from './connections.ts';
import { directoryPages } from './directories.ts';
import { providerPages } from './providers.ts';

/** Providers, connections, directories and OAuth applications. */
export const signInPages = [...providerPages, ...connectionPages, ...directoryPages, ...applicationPages];
