/** Where the running product is, as `make e2e` says it. */
const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set: run the journeys with 'make e2e'`);
  }
  return value;
};

export const product = {
  origin: required('E2E_ORIGIN'),
  siseOrigin: required('E2E_SISE_ORIGIN'),
  /** Folder with the pid files and logs of the processes. */
  runDir: required('E2E_RUN_DIR'),
  /** Where the mails of this installation can be read. */
  mailOrigin: required('E2E_MAIL_ORIGIN'),
};
