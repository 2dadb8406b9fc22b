/** The functions of the account page for the hosted pages and the console. */
export { stageAccountOpening } from './session/stage.ts';
export { stageAccountLink } from './link/stage.ts';
