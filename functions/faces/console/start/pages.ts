import type { ConsolePage } from '../page/declare.ts';
import { environmentsPage } from './environments.ts';
import { overviewPage } from './overview.ts';
import { searchDataPage, searchPage } from './search.ts';

/** The environments, one environment, and the search in it. */
export const startPages: readonly ConsolePage[] = [environmentsPage, overviewPage, searchPage, searchDataPage];
