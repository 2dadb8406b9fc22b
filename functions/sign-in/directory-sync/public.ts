/** The states of directories, for the list of what needs attention. */
export { type DirectoryState, listDirectoryStates } from './directory/states.ts';
