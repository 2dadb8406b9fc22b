/** The background work of exports for the area that serves this module. */
export { dueListExports, listExportWork, postponeListExport } from './export/entity.ts';
export { endListExport, makeListExport } from './export/make.ts';
