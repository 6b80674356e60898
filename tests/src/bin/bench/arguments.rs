//! The command line.

use std::path::PathBuf;

use super::workload::Workload;

/// The number of days that the budgets are about.
pub(crate) const DEFAULT_DAYS: i32 = 30;

pub(crate) struct Arguments {
    /// What the checker takes, too.
    pub(crate) checker: bool,
    pub(crate) workloads: Vec<Workload>,
    /// Days of facts.
    pub(crate) days: i32,
    /// Questions whose name has this in it; all where there is none.
    pub(crate) only: Option<String>,
    /// Longer and shorter ranges, too.
    pub(crate) ranges: bool,
    /// Where the facts are written as rows.
    pub(crate) csv: Option<PathBuf>,
}

impl Arguments {
    pub(crate) fn read(mut given: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self {
            checker: false,
            workloads: Vec::new(),
            days: DEFAULT_DAYS,
            only: None,
            ranges: false,
            csv: None,
        };
        while let Some(name) = given.next() {
            let mut value = || given.next().ok_or_else(|| format!("{name} needs a value"));
            match name.as_str() {
                "--workload" => {
                    let name = value()?;
                    let workload = Workload::of_name(&name).ok_or("--workload is S, M or L")?;
                    arguments.workloads.push(workload);
                }
                "--days" => {
                    let days = value()?.parse().ok().filter(|days| (1..=366).contains(days));
                    arguments.days = days.ok_or("--days is a number from 1 to 366")?;
                }
                "--checker" => arguments.checker = true,
                "--only" => arguments.only = Some(value()?),
                "--ranges" => arguments.ranges = true,
                "--csv" => arguments.csv = Some(value()?.into()),
                other => return Err(format!("unknown argument {other}")),
            }
        }
        // Everything, where nothing is chosen.
        if arguments.workloads.is_empty() && !arguments.checker {
            arguments.workloads = Workload::ALL.to_vec();
            arguments.checker = arguments.only.is_none();
        }
        Ok(arguments)
    }
}
