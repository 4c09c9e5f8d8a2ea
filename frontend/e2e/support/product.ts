/** The running product, as passed by `make e2e`. */
const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set: run the journeys with 'make e2e'`);
  }
  return value;
};

export const product = {
  origin: required('E2E_ORIGIN'),
  /** The name of this installation. */
  instance: required('E2E_INSTANCE'),
  siseOrigin: required('E2E_SISE_ORIGIN'),
  /** The folder with the pid files and logs of the processes. */
  runDir: required('E2E_RUN_DIR'),
  /** The mail sink of this installation. */
  mailOrigin: required('E2E_MAIL_ORIGIN'),
};
