//! Memory usage of an engine, from Linux's `/proc`. Not available on other systems.
//!
//! Two measures are taken, because managers differ. Piskvork uses the peak resident set of the
//! process; GomocupJudge uses the private memory (USS) of the process and its descendants.

use std::{fmt, fs};

use super::proc::{bytes, descendants};

/// Memory usage in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemoryUsage {
    /// Peak resident set of the process (`VmHWM`).
    pub peak: u64,
    /// Private memory of the process and its descendants; `None`: not measured.
    pub private: Option<u64>,
}

impl MemoryUsage {
    /// Returns the larger of the two measures.
    pub fn worst(self) -> u64 {
        self.peak.max(self.private.unwrap_or(0))
    }

    /// Measures only the peak of a process, which is fast. Returns `None` if it is not available.
    pub fn peak_of(pid: u32) -> Option<MemoryUsage> {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        Some(MemoryUsage { peak: bytes(&status, "VmHWM:")?, private: None })
    }

    /// Measures a process and its descendants. Takes milliseconds if they use much memory.
    pub fn of(pid: u32) -> Option<MemoryUsage> {
        let mut usage = MemoryUsage::peak_of(pid)?;
        let family = [vec![pid], descendants(pid)].concat();
        let own: Vec<u64> = family.into_iter().filter_map(private_memory).collect();
        usage.private = (!own.is_empty()).then(|| own.iter().sum());
        Some(usage)
    }
}

impl fmt::Display for MemoryUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        write!(f, "peak {:.1} MiB", mib(self.peak))?;
        match self.private {
            Some(private) => write!(f, ", private with children {:.1} MiB", mib(private)),
            None => Ok(()),
        }
    }
}

/// Returns the private memory of a process.
fn private_memory(pid: u32) -> Option<u64> {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let fields = ["Private_Clean:", "Private_Dirty:", "Private_Hugetlb:"];
    Some(fields.iter().filter_map(|field| bytes(&rollup, field)).sum())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::hint::black_box;

    use super::*;

    /// Other tests allocate at the same time, so only the block itself is certain.
    #[test]
    fn memory_of_this_process_is_measured() {
        let before = MemoryUsage::of(std::process::id()).expect("our own memory");
        assert!(before.peak > 100_000, "{before:?}");
        let block = black_box(vec![1u8; 64 << 20]);
        let after = MemoryUsage::of(std::process::id()).expect("our own memory");
        assert!(after.private >= Some(64 << 20), "{before:?} {after:?}");
        assert!(after.worst() >= 64 << 20);
        drop(black_box(block));
    }

    #[test]
    fn only_measured_memory_is_shown() {
        let usage = MemoryUsage { peak: 3 << 20, private: None };
        assert_eq!(usage.to_string(), "peak 3.0 MiB");
        let usage = MemoryUsage { private: Some(1 << 19), ..usage };
        assert_eq!(usage.to_string(), "peak 3.0 MiB, private with children 0.5 MiB");
    }

    #[test]
    fn a_missing_process_has_no_usage() {
        assert_eq!(MemoryUsage::of(u32::MAX), None);
    }
}
