/** The functions of the console for the programs that run a stage: the local service, the deployment and the commands. */
export { createConsoleLink, type LinkOptions } from './link/make.ts';
