import { OPERATORS_ENVIRONMENT_ID } from '../../../../kernel/authentication/environment-id.ts';
import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import { model, recordAttributes, recordKey } from '../../../../kernel/storage/record.ts';

/** The last examinations of the stage by `npm run doctor` and by the daily worker, in the environment of the operators: one row. */
const ExaminationEntity = entity({
  model: model('stage-examination'),
  attributes: {
    ...recordAttributes,
    /** The time of the examination by the command (ISO 8601), and its findings that are not `ok`; absent if it never stored one. */
    examinedAt: { type: 'string' },
    findings: { type: 'any' },
    /** The same of the daily examination, and the names of what it has examined. */
    dailyAt: { type: 'string' },
    dailyFindings: { type: 'any' },
    dailyNames: { type: 'list', items: { type: 'string' } },
  },
  indexes: { primary: recordKey('stage-examination') },
});

export type ExaminationRecord = RecordOf<typeof ExaminationEntity>;
export const examinations = collection(ExaminationEntity, 'internal');

const ID = 'last';

/** The last examination: one GetItem; undefined if the stage was never examined. */
export const findExamination = (): Promise<ExaminationRecord | undefined> =>
  examinations.get(OPERATORS_ENVIRONMENT_ID, ID);

/** The key of the row. */
export const EXAMINATION_KEY = { environmentId: OPERATORS_ENVIRONMENT_ID, id: ID };
