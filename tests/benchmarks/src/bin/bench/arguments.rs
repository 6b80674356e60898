//! The command line.

use std::path::PathBuf;

use super::workload::Workload;

/// The number of days to which the budgets apply.
pub(crate) const DEFAULT_DAYS: i32 = 30;

/// The parsed command line.
pub(crate) struct Arguments {
    /// Whether the checker is measured.
    pub(crate) checker: bool,
    /// Whether the overview of many entities is measured.
    pub(crate) overview: bool,
    pub(crate) workloads: Vec<Workload>,
    /// The number of days with facts.
    pub(crate) days: i32,
    /// Only requests whose names contain this text are measured.
    pub(crate) only: Option<String>,
    /// The numbers of days whose requests are measured instead of the last 30 days, with goals instead of
    /// budgets.
    pub(crate) windows: Vec<i32>,
    /// The file of the callgrind that runs this process.
    pub(crate) callgrind_out: Option<PathBuf>,
}

impl Arguments {
    /// Parses the arguments. The error names the invalid one.
    pub(crate) fn parse(mut given: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self {
            checker: false,
            overview: false,
            workloads: Vec::new(),
            days: DEFAULT_DAYS,
            only: None,
            windows: Vec::new(),
            callgrind_out: None,
        };
        while let Some(name) = given.next() {
            let mut value = || given.next().ok_or_else(|| format!("{name} needs a value"));
            match name.as_str() {
                "--workload" => {
                    let name = value()?;
                    let workload = Workload::from_name(&name).ok_or("--workload is S, M or L")?;
                    arguments.workloads.push(workload);
                }
                "--days" => {
                    arguments.days = parse_days(&value()?).ok_or("--days is a number from 1 to 366")?;
                }
                "--checker" => arguments.checker = true,
                "--overview" => arguments.overview = true,
                "--callgrind-out" => arguments.callgrind_out = Some(value()?.into()),
                "--only" => arguments.only = Some(value()?),
                "--window" => {
                    let days = parse_days(&value()?).ok_or("--window is a number from 1 to 366")?;
                    arguments.windows.push(days);
                }
                other => return Err(format!("unknown argument {other}")),
            }
        }
        // Without a choice, everything is measured.
        if arguments.workloads.is_empty() && !arguments.checker && !arguments.overview {
            arguments.workloads = Workload::ALL.to_vec();
            arguments.checker = arguments.only.is_none();
            arguments.overview = arguments.only.is_none();
        }
        Ok(arguments)
    }
}

fn parse_days(text: &str) -> Option<i32> {
    text.parse().ok().filter(|days| (1..=366).contains(days))
}
