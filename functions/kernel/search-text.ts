import * as z from 'zod';

import { hasFewWords, TOO_MANY_WORDS } from './search-words.ts';

/** The query member of lists whose records are found by the beginnings of the words of their names. */
export const searchText = z.string().trim().min(1).max(200).refine(hasFewWords, TOO_MANY_WORDS);
