/** The examination of a stage: what a command and the daily worker find, and the checks that both make. */
export { type Finding, isComplete, missing, note, ok, tried, written } from './examination/finding.ts';
export { checkSender, checkSending, checkSendingRate } from './examination/mail.ts';
export { recordExamination } from './examination/record.ts';
export { examineDaily } from './examination/daily.ts';
