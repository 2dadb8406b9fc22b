/** The reset of factors by operators, for the modules that remove factors and for the pages of their owners. */
export { findDueReset, findStoppableReset, forEachDueReset } from './reset/find.ts';
export { stageEndOfReset, stageReset, stageResetNotice, stageStop } from './reset/stage.ts';
export type { FactorResetRecord } from './reset/entity.ts';
export { FactorReset, presentReset } from './reset/schema.ts';
export { factorResetSettings } from './settings.ts';
