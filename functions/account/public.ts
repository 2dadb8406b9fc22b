/** The functions of the account page for the hosted pages. */
export { stageAccountOpening } from './session/stage.ts';
