/** The examination of a stage, which a command stores. */
export { recordExamination } from './examination/record.ts';
