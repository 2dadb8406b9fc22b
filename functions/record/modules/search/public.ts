/** The index of users by words for the worker of events, and the move of older rows for a command. */
export { INDEXED_EVENTS, indexWords, userIndexing } from './user-words/work.ts';
export { moveSearchRows } from './user-words/move.ts';
