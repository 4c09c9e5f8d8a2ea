//! The command line of every service.

use std::ffi::OsString;

use clap::{Args, CommandFactory, Error, FromArgMatches, Subcommand};

const RUN: &str = "run";
/// First words that clap itself understands.
const OF_CLAP: [&str; 5] = ["help", "-h", "--help", "-V", "--version"];

#[derive(Debug, Subcommand)]
pub(super) enum Command<C: Args, X: Subcommand> {
    /// Serves until SIGTERM (the default).
    Run(Box<C>),
    #[command(flatten)]
    Other(X),
}

/// `words` begin with the program. Without a command they are those of `run`.
pub(super) fn parse<C: Args + CommandFactory, X: Subcommand>(
    name: &'static str,
    words: impl IntoIterator<Item = OsString>,
) -> Result<Command<C, X>, Error> {
    let about = C::command().get_about().cloned().unwrap_or_default();
    let line = clap::Command::new(name)
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true);
    // The description of `X` would take the place of an earlier one.
    let line = Command::<C, X>::augment_subcommands(line).about(about);
    let mut words: Vec<OsString> = words.into_iter().collect();
    let has_command = words
        .get(1)
        .and_then(|word| word.to_str())
        .is_some_and(|word| {
            OF_CLAP.contains(&word) || line.get_subcommands().any(|one| one.get_name() == word)
        });
    if !has_command {
        words.insert(words.len().min(1), RUN.into());
    }
    Command::from_arg_matches(&line.try_get_matches_from(words)?)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use clap::Parser;
    use clap::error::ErrorKind;

    use super::*;
    use crate::service::{Migrate, ServiceConfig};

    /// Holds samples.
    #[derive(Debug, Parser)]
    #[command(mut_arg("listen_addr", |arg| arg.default_value("127.0.0.1:9199")))]
    #[command(mut_arg("drain_s", |arg| arg.default_value("20")))]
    struct Config {
        #[command(flatten)]
        service: ServiceConfig,
        #[arg(long)]
        samples: u32,
    }

    fn read<X: Subcommand>(line: &str) -> Result<Command<Config, X>, Error> {
        parse("sample", line.split(' ').map(OsString::from))
    }

    #[test]
    fn run_is_the_default_with_and_without_settings() {
        for line in ["sample --samples 3", "sample run --samples 3"] {
            let Ok(Command::<_, Migrate>::Run(config)) = read(line) else {
                panic!("{line} is not run");
            };
            assert_eq!(config.samples, 3);
        }
        let missing = read::<Migrate>("sample").unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::MissingRequiredArgument);
    }

    #[test]
    fn a_service_has_defaults_of_its_own() {
        let line = "sample --samples 3 --admin-addr 127.0.0.1:9";
        let Ok(Command::<_, Infallible>::Run(config)) = read(line) else {
            panic!("{line} is not run");
        };
        assert_eq!(config.service.listen_addr.port(), 9199);
        assert_eq!(config.service.admin_addr.port(), 9);
        assert_eq!(config.service.drain().as_secs(), 20);
    }

    #[test]
    fn other_commands_are_the_services_own() {
        let line = "sample migrate --migration-database-url postgres://nowhere";
        assert!(matches!(
            read(line),
            Ok(Command::Other(Migrate::Migrate(_)))
        ));
        let unknown = read::<Infallible>(line).unwrap_err();
        assert_eq!(unknown.kind(), ErrorKind::UnknownArgument);
    }

    #[test]
    fn the_help_says_what_the_service_is_for() {
        let help = read::<Migrate>("sample --help").unwrap_err();
        assert_eq!(help.kind(), ErrorKind::DisplayHelp);
        let help = help.to_string();
        for part in ["Holds samples", "run", "migrate"] {
            assert!(help.contains(part), "{help}");
        }
    }
}
