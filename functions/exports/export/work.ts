import { workKind } from '../../kernel/storage/work.ts';

/** The making of the file of an export. It reads the export by its key, so one run is enough. */
export const listExportWork = workKind<{ id: string }>('exports.make', { runs: 1 });
